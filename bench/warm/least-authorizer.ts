import { hash } from 'node:crypto'
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Database } from './least.ts'
import type { Handlers, Scenario } from './scenario.ts'

export function leastAuthorizer(
  { client, tables }: Database,
  { issuer, now, verificationKeys }: Scenario,
): Handlers['authorizer'] {
  const keys = createLocalJWKSet(verificationKeys)
  /** Reads what there is of credentials, an account and revocations in one call. */
  const read = async (credentials: string[], account: unknown, revocations: string[] = []) => {
    const sessions = { Keys: revocations.map((pk) => ({ pk })), ConsistentRead: true }
    const RequestItems = {
      [tables.credentials]: { Keys: credentials.map((pk) => ({ pk })) },
      [tables.catalog]: { Keys: [{ pk: `account#${account}`, sk: 'record' }] },
      ...(revocations.length > 0 && { [tables.sessions]: sessions }),
    }
    const { Responses = {} } = await client.send(new BatchGetCommand({ RequestItems }))
    const found = new Map(Responses[tables.credentials]?.map((item) => [item.pk, item]))
    return credentials.map((pk) => found.get(pk) ?? {})
  }

  const byKey = async (apiKey: string) => {
    const holder = Buffer.from(apiKey.split('_')[1] as string, 'base64url').toString()
    const keys = [`apiKey#${hash('sha256', apiKey, 'hex')}`, `user#${holder}`]
    const [key = {}, user = {}] = await read(keys, holder.split('#')[0])
    const { accountId, userId, tokenHash } = key
    const admin = user.roles.includes('admin')
    const credential = { kind: 'apiKey', key: tokenHash.slice(0, 12) }
    return { accountId, userId, admin, scoped: false, credential, deploymentIds: 'all' }
  }
  const byToken = async (token: string) => {
    const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer, currentDate: new Date(now) })
    const { accountId, userId, jti, deploymentId, mintedBy, exp } = payload
    const revocations = [`revocation#${accountId}#${jti}`, `revocation#${accountId}`]
    const [user = {}] = await read([`user#${accountId}#${userId}`], accountId, revocations)
    return {
      accountId,
      userId,
      admin: user.roles.includes('admin'),
      scoped: true,
      credential: { kind: 'embedToken', deploymentId, jti, mintedBy },
      expiresAt: exp,
      deploymentIds: [deploymentId],
    }
  }
  return async ({ headers }) => {
    const credential = headers?.authorization?.slice('Bearer '.length) as string
    const principal = await (credential.startsWith('sk-') ? byKey : byToken)(credential)
    return { isAuthorized: true, context: { allowed: true, principal, accountId: principal.accountId } }
  }
}
