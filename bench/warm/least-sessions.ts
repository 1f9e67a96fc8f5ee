import { hash, randomBytes } from 'node:crypto'
import { BatchGetCommand, DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { account } from '../catalog.ts'
import type { Database } from './least.ts'
import type { Scenario } from './scenario.ts'

const sessionKey = (id: string) => ({ pk: `session#${hash('sha256', id, 'hex')}` })
const tokenIdOf = (id: string) => hash('sha256', `jti:${id}`, 'base64url').slice(0, 22)
const bodyOf = ({ body }: APIGatewayProxyEventV2) => JSON.parse(body as string)

export async function generate(
  { client, tables }: Database,
  { now }: Scenario,
  event: APIGatewayProxyEventV2,
): Promise<string> {
  const request = bodyOf(event)
  const Keys = [{ pk: `embedTenant#${account}#${request.embedTenantName}`, sk: 'record' }]
  await client.send(new BatchGetCommand({ RequestItems: { [tables.catalog]: { Keys, ConsistentRead: true } } }))
  const sessionId = randomBytes(32).toString('base64url')
  const seconds = Math.floor(now / 1000)
  const context = { accountId: account, ...request, mintedBy: { userId: 1, at: seconds } }
  const Item = {
    ...sessionKey(sessionId),
    accountId: account,
    deploymentId: request.deploymentId,
    context: JSON.stringify(context),
    expiresAt: seconds + 300,
  }
  await client.send(new PutCommand({ TableName: tables.sessions, Item }))
  return JSON.stringify({ sessionId })
}

const putEnd = ({ client, tables }: Database, sessionId: string, end: string, now: number) =>
  client.send(
    new PutCommand({
      TableName: tables.sessions,
      Item: { pk: `end#${tokenIdOf(sessionId)}`, end, expiresAt: Math.ceil(now / 1000) + 86_400 },
    }),
  )

export async function exchange(
  database: Database,
  { now, issuer, signer }: Scenario,
  event: APIGatewayProxyEventV2,
): Promise<string> {
  const { sessionId } = bodyOf(event)
  const { Attributes } = await database.client.send(
    new DeleteCommand({
      TableName: database.tables.sessions,
      Key: sessionKey(sessionId),
      ConditionExpression: 'attribute_exists(pk) AND expiresAt > :now',
      ExpressionAttributeValues: { ':now': now / 1000 },
      ReturnValues: 'ALL_OLD',
    }),
  )
  const context = JSON.parse(Attributes?.context)
  const iat = Math.floor(now / 1000)
  const claims = {
    ...context,
    iss: issuer,
    aud: issuer,
    sub: `${account}#external#${context.embedTenantName}#${context.externalId}`,
    iat,
    nbf: iat,
    exp: iat + 86_400,
    jti: tokenIdOf(sessionId),
  }
  const [token] = await Promise.all([signer.sign(claims), putEnd(database, sessionId, 'redeemed', now)])
  return JSON.stringify({ token, expiresIn: 86_400 })
}

export async function revoke(database: Database, { now }: Scenario, event: APIGatewayProxyEventV2): Promise<void> {
  const { sessionId } = bodyOf(event)
  const { client, tables } = database
  await client.send(
    new UpdateCommand({
      TableName: tables.sessions,
      Key: { pk: `revocation#${account}#${tokenIdOf(sessionId)}` },
      UpdateExpression: 'SET expiresAt = :end, everywhere = :reach',
      ExpressionAttributeValues: { ':end': Math.ceil(now / 1000) + 300 + 86_400, ':reach': true },
    }),
  )
  await client.send(
    new DeleteCommand({
      TableName: tables.sessions,
      Key: sessionKey(sessionId),
      ConditionExpression: 'accountId = :account',
      ExpressionAttributeValues: { ':account': account },
    }),
  )
  await putEnd(database, sessionId, 'revoked', now)
}
