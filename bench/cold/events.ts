import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { sessionKey } from '@embed-access/core/sessions/stored-session.ts'
import { embedTokenClaims } from '@embed-access/core/sessions/token.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import type { SigningKeys } from '@embed-access/core/signing/signing-keys.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { tokenSigner } from '@embed-access/core/signing/token-signer.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import {
  type OperationId,
  operations,
  routeKeyOf,
  routes,
} from '../../functions/operations/operations.ts'
import { account, deployment } from '../../test/pages/catalog.ts'
import { applyAll } from '../../test/pages/filled-engine.ts'
import { requestContext } from '../../test/pages/measure.ts'
import { apiKey, callerChanges, pathVariables, sessionRequest } from '../caller.ts'

const sessionId = 'S'.repeat(43)

/**
 * An event for each function, by its name, that it answers with success. Adds what they need to the
 * tables.
 */
export async function eventsOf(storage: Storage): Promise<Readonly<Record<string, object>>> {
  await applyAll(storage, callerChanges)
  const keys = await firstSigningKeys(Date.now())
  await writeSigningKeys(storage, keys, undefined)
  const token = { headers: { authorization: `Bearer ${await embedToken(keys)}` } }
  await putSession(storage)
  return {
    authorizer: {
      routeKey: routeKeyOf(operations['list-dbt-syncs']),
      headers: { authorization: `Bearer ${apiKey}` },
      requestContext,
    },
    'catalog-sync': { Records: [message] },
    ...Object.fromEntries(
      routes.map((route) => {
        const request = requests[route.id] ?? reading
        const bearer = route.access === 'embed' && token
        return [route.id, { ...common, routeKey: routeKeyOf(route), ...request, ...bearer }]
      }),
    ),
  }
}

const common = { rawQueryString: '', headers: {}, requestContext }

/** The event of an operation that only reads. */
const reading = { pathParameters: pathVariables, rawQueryString: 'first=10' }

const posting = (body: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  isBase64Encoded: false,
})

const requests: Readonly<Partial<Record<OperationId, object>>> = {
  'list-embed-tenant-workbooks': { ...reading, rawQueryString: 'first=10&accessSource=tenant' },
  'generate-session': posting(sessionRequest),
  'exchange-session': posting({ sessionId }),
  'revoke-session': posting({ sessionId }),
}

const message = {
  messageId: 'bench',
  body: JSON.stringify([
    { kind: 'folder', data: { deploymentId: deployment, id: 1, name: 'Folder', parentId: null } },
  ]),
  attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0' },
}

const newContext = (seconds: number) => ({
  accountId: account,
  ...sessionRequest,
  mintedBy: { userId: 1, at: seconds },
})

async function embedToken(keys: SigningKeys): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const issuance = {
    issuer: 'https://embed.bench',
    audience: 'https://embed.bench',
    lifetimeSeconds: 3600,
  }
  return (await tokenSigner(keys)).sign(
    embedTokenClaims(newContext(seconds), 'bench', seconds, issuance),
  )
}

/** Stores a session that waits. */
async function putSession({ client, tables }: Storage): Promise<void> {
  const seconds = Math.floor(Date.now() / 1000)
  const context = newContext(seconds)
  const item = {
    accountId: account,
    deploymentId: deployment,
    context: JSON.stringify(context),
    expiresAt: seconds + 300,
  }
  await client.send(
    new PutCommand({ TableName: tables.sessions, Item: { ...sessionKey(sessionId), ...item } }),
  )
}
