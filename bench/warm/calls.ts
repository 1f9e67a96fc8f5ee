import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { account, deployment, tenant } from '../catalog.ts'
import { replayAnswers } from '../replay.ts'
import { ideal } from './ideal.ts'

type Call = readonly [name: string, ...ways: (() => Promise<unknown>)[]]

/** The parts that our client's calls go through: the SDK's and our own. */
const knownParts = [
  'serializerMiddleware - serialize',
  'contentLengthMiddleware - build',
  'hostHeaderMiddleware - build',
  'retryMiddleware - finalizeRequest',
  'httpSigningMiddleware (a.k.a. apiKeyMiddleware,tokenMiddleware,awsAuthMiddleware) - finalizeRequest',
  'plainErrors - finalizeRequest',
  'valuesIntoAnswers - deserialize',
  'deserializerMiddleware - deserialize',
]

/** Calls, each by our client, by the SDK as it comes, and by the least code over the SDK's HTTP handler. */
export function callsOver({ catalog, credentials }: Storage['tables'], endpoint: string): readonly Call[] {
  const ours = connect({} as Storage['tables'], endpoint).client
  const keys = { accessKeyId: 'local', secretAccessKey: 'local' }
  const plain = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'local', credentials: keys }))
  warnOfOtherParts(ours.middlewareStack.identify())
  for (const client of [ours, plain]) replayAnswers(client)
  const send = ideal(ours.config.requestHandler, endpoint, keys)

  const get = { TableName: credentials, Key: { pk: `user#${account}#1` } }
  const query = {
    TableName: catalog,
    IndexName: 'byEmbedTenant',
    KeyConditionExpression: 'tenant = :tenant',
    ExpressionAttributeValues: { ':tenant': `${deployment}#${tenant}` },
    Limit: 100,
  }
  const ids = Array.from({ length: 100 }, (_, index) => 1_000_000_000 + index)
  const Keys = ids.map((id) => ({ pk: `${deployment}#workbook#${id}`, sk: 'record' }))
  const batch = { RequestItems: { [catalog]: { Keys } } }
  const text = (value: string) => ({ S: value })
  return [
    [
      'GetItem of a small item',
      () => ours.send(new GetCommand(get)),
      () => plain.send(new GetCommand(get)),
      () => send('GetItem', { ...get, Key: { pk: text(get.Key.pk) } }),
    ],
    [
      'Query of 100 entries',
      () => ours.send(new QueryCommand(query)),
      () => plain.send(new QueryCommand(query)),
      () => send('Query', { ...query, ExpressionAttributeValues: { ':tenant': text(`${deployment}#${tenant}`) } }),
    ],
    [
      'BatchGetItem of 100 workbooks',
      () => ours.send(new BatchGetCommand(batch)),
      () => plain.send(new BatchGetCommand(batch)),
      () => {
        const wired = Keys.map(({ pk, sk }) => ({ pk: text(pk), sk: text(sk) }))
        return send('BatchGetItem', { RequestItems: { [catalog]: { Keys: wired } } })
      },
    ],
    ['A copy of the configuration', async () => ({ ...ours.config }), async () => ({ ...plain.config })],
  ]
}

/** A release of the SDK may bring parts that the client should leave out too (`core/storage/client.ts`). */
function warnOfOtherParts(parts: readonly string[]): void {
  const changes = [
    ...parts.filter((part) => !knownParts.includes(part)).map((part) => `+ ${part}`),
    ...knownParts.filter((part) => !parts.includes(part)).map((part) => `- ${part}`),
  ]
  if (changes.length > 0) console.warn(`Calls go through other parts than were known:\n${changes.join('\n')}\n`)
}
