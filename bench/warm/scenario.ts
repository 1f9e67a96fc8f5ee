import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { sessionKey } from '@embed-access/core/sessions/session-id.ts'
import { publicKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/sessions/token.ts'
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda'
import { type OperationId, operations, routeKeyOf } from '../../functions/operations/operations.ts'
import type { Meter } from '../../test/support/counting.ts'
import { requestContext } from '../caller.ts'
import { account, deployment, tenant } from '../catalog.ts'

/** The time of every request: nothing that an instance keeps gets old. */
const now = Date.now()

export const sessionId = 'S'.repeat(43)

export type Scenario = Awaited<ReturnType<typeof scenario>>

/** A user with an API key and an embed token, and what functions run with. */
export async function scenario({ storage }: Meter) {
  const issuer = 'https://embed.bench'
  const apiKey = newApiKey({ accountId: account, userId: 1 })
  const user = { accountId: account, id: 1, email: 'user1@acme.example', roles: ['admin'], deploymentIds: 'all' }
  const key = { accountId: account, userId: 1, name: 'bench', tokenHash: hashOfApiKey(apiKey) }
  const changes = [
    { kind: 'user', data: user },
    { kind: 'apiKey', data: key },
  ]
  const results = await applyChanges(storage, changes, Date)
  for (const result of results) if (result.outcome !== 'applied') throw new Error(JSON.stringify(result))

  const keys = await firstSigningKeys(now)
  const signer = await tokenSigner(keys)
  const verificationKeys = publicKeys([...keys.keys])
  const seconds = Math.floor(now / 1000)
  const embedToken = await signer.sign({
    accountId: account,
    deploymentId: deployment,
    userId: 1,
    mintedBy: { userId: 1, at: seconds },
    iss: issuer,
    aud: issuer,
    sub: `${account}#user#1`,
    iat: seconds,
    nbf: seconds,
    exp: seconds + 86_400,
    jti: 'J'.repeat(22),
  })
  const context = {
    accountId: account,
    deploymentId: deployment,
    embedTenantName: tenant,
    externalId: 'user-1',
    userAttributes: [{ name: 'region', value: ['north', 'west'] }],
    securityContext: { customerId: 42 },
    mintedBy: { userId: 1, at: seconds },
  }
  /** Puts the session where it waits, as often as it is taken away. */
  const putSession = () =>
    storage.client.send(
      new PutCommand({
        TableName: storage.tables.sessions,
        Item: {
          ...sessionKey(sessionId),
          accountId: account,
          deploymentId: deployment,
          context: JSON.stringify(context),
          expiresAt: seconds + 300,
        },
      }),
    )
  return { issuer, now, keys, verificationKeys, signer, apiKey, embedToken, putSession }
}

/** Functions over one client. */
export type Handlers = {
  /** What the client has asked of the database, by name. */
  readonly asked: string[]
  readonly operations: Readonly<
    Record<OperationId, (event: APIGatewayProxyEventV2, context: Context) => Promise<object>>
  >
  readonly authorizer: (event: APIGatewayRequestAuthorizerEventV2, context: Context) => Promise<object>
}

const lists = {
  pathParameters: { deploymentId: String(deployment), embedTenantName: tenant },
  rawQueryString: 'first=10',
}

const posting = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  isBase64Encoded: false,
})

/** A request for each operation. */
const requests = {
  'list-embed-tenant-workbooks': { ...lists, rawQueryString: 'first=10&accessSource=tenant' },
  'generate-session': posting({
    deploymentId: deployment,
    embedTenantName: tenant,
    externalId: 'user-1',
    email: 'user-1@customer.example',
    creatorMode: true,
    userAttributes: [{ name: 'region', value: ['north', 'west'] }],
    securityContext: { customerId: 42 },
    settings: { allowAi: false, timezone: 'Europe/Oslo' },
  }),
  'exchange-session': posting({ sessionId }),
  'revoke-session': posting({ sessionId }),
  'list-dbt-syncs': lists,
  'list-notifications': lists,
  'get-key-set': {},
  'get-spec': {},
  'get-error-reference': {},
} as const satisfies Record<OperationId, object>

export const eventFor = (id: OperationId): APIGatewayProxyEventV2 =>
  ({
    routeKey: routeKeyOf(operations[id]),
    rawQueryString: '',
    headers: {},
    requestContext,
    ...requests[id],
  }) as unknown as APIGatewayProxyEventV2

/** What the authorizer is asked about a list with this credential. */
export const authorizerEvent = (credential: string): APIGatewayRequestAuthorizerEventV2 =>
  ({
    routeKey: routeKeyOf(operations['list-dbt-syncs']),
    headers: { authorization: `Bearer ${credential}` },
    requestContext,
  }) as unknown as APIGatewayRequestAuthorizerEventV2
