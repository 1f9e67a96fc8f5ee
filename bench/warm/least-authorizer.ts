import { hash } from 'node:crypto'
import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Database } from './least.ts'
import type { Handlers, Scenario } from './scenario.ts'

export function leastAuthorizer(
  { client, tables }: Database,
  { issuer, now, verificationKeys }: Scenario,
): Handlers['authorizer'] {
  const keys = createLocalJWKSet(verificationKeys)
  const get = async (pk: string) =>
    (await client.send(new GetCommand({ TableName: tables.credentials, Key: { pk } }))).Item ?? {}
  const batchGet = (table: string, Keys: object[], ConsistentRead: boolean) =>
    client.send(new BatchGetCommand({ RequestItems: { [table]: { Keys: Keys as never, ConsistentRead } } }))
  const account = (id: unknown) => batchGet(tables.catalog, [{ pk: `account#${id}`, sk: 'record' }], false)

  const byKey = async (apiKey: string) => {
    const holder = Buffer.from(apiKey.split('_')[1] as string, 'base64url').toString()
    const [{ accountId, userId, tokenHash }, user] = await Promise.all([
      get(`apiKey#${hash('sha256', apiKey, 'hex')}`),
      get(`user#${holder}`),
      account(holder.split('#')[0]),
    ])
    const admin = user.roles.includes('admin')
    const credential = { kind: 'apiKey', key: tokenHash.slice(0, 12) }
    return { accountId, userId, admin, scoped: false, credential, deploymentIds: 'all' }
  }
  const byToken = async (token: string) => {
    const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer, currentDate: new Date(now) })
    const { accountId, userId, jti, deploymentId, mintedBy, exp } = payload
    const revocations = [{ pk: `revocation#${accountId}#${jti}` }, { pk: `revocation#${accountId}` }]
    const [user] = await Promise.all([
      get(`user#${accountId}#${userId}`),
      batchGet(tables.sessions, revocations, true),
      account(accountId),
    ])
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
