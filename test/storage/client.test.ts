import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb'
import { documentClient, once } from '@embed-access/core/storage/client.ts'
import { Sha256 } from '@embed-access/core/storage/sha256.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { anyCharacter } from '../support/properties.ts'

const endpoint = 'http://127.0.0.1:9'
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
const plain = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint, credentials, region: 'local', maxAttempts: 1 }),
)

const reads = {
  get: (Key = { pk: 'a' }) => new GetCommand({ TableName: 't', Key, ConsistentRead: true }),
  query: (ExclusiveStartKey?: Record<string, unknown>) =>
    new QueryCommand({
      TableName: 't',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: {
        ':pk': 'a',
        ':number': 1.5,
        ':flag': true,
        ':nothing': null,
        ':list': [1, 'a'],
      },
      ExclusiveStartKey,
      Limit: 10,
    }),
  scan: (ExclusiveStartKey?: Record<string, unknown>) =>
    new ScanCommand({ TableName: 't', ExclusiveStartKey }),
  batchGet: (key = { pk: 'a' }) =>
    new BatchGetCommand({
      RequestItems: { t: { Keys: [key, { pk: 'b' }], ExpressionAttributeNames: { '#a': 'a' } } },
    }),
  transactGet: (Key = { pk: 'a' }) =>
    new TransactGetCommand({ TransactItems: [{ Get: { TableName: 't', Key } }] }),
}
const get = () => reads.get()

describe('the client', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('reads answers as lib-dynamodb does, whatever items they have', async () => {
    const capacity = { TableName: 't', CapacityUnits: 1.5 }
    const units = { ConsumedCapacity: capacity }
    const ours = documentClient(endpoint)
    await fc.assert(
      fc.asyncProperty(attributes(), attributes(), async (first, second) => {
        const answers: Record<keyof typeof reads, readonly object[]> = {
          get: [{ Item: first, ...units }, {}],
          query: [
            { Items: [first, second], Count: 2, LastEvaluatedKey: first, ...units },
            { Count: 0 },
          ],
          scan: [{ Items: [first, second], Count: 2, LastEvaluatedKey: first }, { Items: [] }],
          batchGet: [
            {
              Responses: { t: [first, second] },
              UnprocessedKeys: { t: { Keys: [second], ConsistentRead: true } },
            },
            { Responses: {}, UnprocessedKeys: {}, ConsumedCapacity: [capacity] },
            {},
          ],
          transactGet: [
            { Responses: [{ Item: first }, {}, { Item: second }], ConsumedCapacity: [capacity] },
          ],
        }
        for (const [name, all] of Object.entries(answers)) {
          for (const answer of all) {
            const [read, expected] = [ours, plain].map((client) => {
              answerWith(client, answer)
              return client.send(reads[name as 'get']())
            })
            expect(await read).toEqual(await expected)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  test('asks as lib-dynamodb does, whatever the keys', async () => {
    const ours = documentClient(endpoint)
    const text = fc.string({ unit: anyCharacter })
    const keys = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.bigInt()), { maxKeys: 3 })
    await fc.assert(
      fc.asyncProperty(keys, async (key) => {
        for (const command of Object.values(reads)) {
          const [asked, expected] = [answerWith(ours, {}), answerWith(plain, {})]
          await ours.send(command(key as never) as never)
          await plain.send(command(key as never) as never)
          const bodies = [asked, expected].map(([request]) =>
            JSON.parse(new TextDecoder().decode(request?.body)),
          )
          expect(bodies[0]).toEqual(bodies[1])
          expect(asked[0]?.headers['content-length']).toBe(String(asked[0]?.body.length))
          expect(asked[0]?.headers).not.toHaveProperty('x-amz-user-agent')
          // DynamoDB Local keeps the tables of each key and region apart.
          expect(asked[0]?.headers.authorization).toMatch(/Credential=local\/\d{8}\/local\//)
          expect(asked[0]?.headers['x-amz-target']).toBe(expected[0]?.headers['x-amz-target'])
        }
      }),
      { numRuns: 30 },
    )
  })

  test('leaves out of a write what is undefined', async () => {
    const ours = documentClient(endpoint)
    const asked = answerWith(ours, {})
    const Item = { pk: 'a', more: undefined, inner: { more: undefined } }
    await ours.send(new PutCommand({ TableName: 't', Item }))
    expect(JSON.parse(new TextDecoder().decode(asked[0]?.body))).toEqual({
      TableName: 't',
      Item: { pk: { S: 'a' }, inner: { M: {} } },
    })
  })

  test('keeps a field of the name __proto__ as a field', async () => {
    const ours = documentClient(endpoint)
    answerWith(
      ours,
      '{"Item":{"pk":{"S":"a"},"map":{"M":{"__proto__":{"M":{"admin":{"BOOL":true}}}}}}}',
    )
    const { Item } = await ours.send(get())
    expect(JSON.stringify(Item)).toBe('{"pk":"a","map":{"__proto__":{"admin":true}}}')
    expect(Item?.map.admin).toBeUndefined()
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{"Item":{"pk":{"S":"a"'],
    ['no object', 'null'],
    ['an attribute of no type', '{"Item":{"pk":{}}}'],
    ['an attribute of an unknown type', '{"Item":{"pk":{"X":"a"}}}'],
    ['a text in place of an attribute', '{"Item":{"pk":"a"}}'],
    ['a number that is none', '{"Item":{"pk":{"N":"99999999999999999999.5"}}}'],
  ])('takes %s for an answer that cannot be read, and asks three times', async (_, answer) => {
    const ours = documentClient(endpoint)
    const asked = answerWith(ours, answer)
    const message = 'The database gave an answer that cannot be read.'
    await expect(ours.send(get())).rejects.toThrow(
      expect.objectContaining({ name: 'UnreadableAnswer', message }),
    )
    expect(asked.length).toBe(3)
  })

  const canceled = (...codes: string[]) => ({
    __type: 'TransactionCanceledException',
    CancellationReasons: codes.map((Code) => ({ Code })),
  })

  test.each([
    ['a conflict', 400, { __type: 'TransactionConflictException' }, 3],
    ['a conflict in a transaction', 400, canceled('None', 'TransactionConflict'), 3],
    ['a throttled transaction', 400, canceled('None', 'ThrottlingError'), 3],
    ['a busy table in a transaction', 400, canceled('ProvisionedThroughputExceeded'), 3],
    [
      'a failed condition beside throttling',
      400,
      canceled('ThrottlingError', 'ConditionalCheckFailed'),
      1,
    ],
    [
      'a failed condition beside a conflict',
      400,
      canceled('TransactionConflict', 'ConditionalCheckFailed'),
      1,
    ],
    ['a failed condition', 400, { __type: 'ConditionalCheckFailedException' }, 1],
    ['a mistake in the request', 400, { __type: 'ValidationException' }, 1],
    ['a failure that the SDK tries again', 500, { __type: 'InternalServerError' }, 3],
    ['any other failure', 501, { __type: 'SomeError' }, 3],
  ])('is refused for %s (%i), and asks as often as that helps', async (_, status, body, times) => {
    const ours = documentClient(endpoint)
    const asked = answerWith(ours, { message: 'as DynamoDB says', ...body }, status)
    const refused = expect.objectContaining({ message: 'as DynamoDB says', name: body.__type })
    await expect(ours.send(get())).rejects.toThrow(refused)
    expect(asked).toHaveLength(times)
    await expect(ours.send(once(get()))).rejects.toThrow(refused)
    expect(asked).toHaveLength(times + 1)
  })

  test('says in its own words that a time is over', async () => {
    const ours = documentClient(endpoint)
    const failing = (error: Error) =>
      Object.assign(ours.config, { requestHandler: { handle: () => Promise.reject(error) } })
    const words = 'requestTimeout of NodeHttpHandler'
    failing(Object.assign(new Error(words), { name: 'TimeoutError' }))
    await expect(ours.send(once(get()))).rejects.toThrow('The database did not answer in time.')
    for (const error of [new Error(words), new TypeError(words)]) {
      failing(error)
      await expect(ours.send(once(get()))).rejects.toThrow(error)
    }
  })

  test('signs with new credentials once the old ones expire', async () => {
    const signedWith = async (id: string, lifetimeMs: number) => {
      vi.stubEnv('AWS_ACCESS_KEY_ID', id)
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
      vi.stubEnv('AWS_SESSION_TOKEN', `token of ${id}`)
      vi.stubEnv('AWS_CREDENTIAL_EXPIRATION', new Date(Date.now() + lifetimeMs).toISOString())
      await client.send(get())
      const {
        host,
        authorization = '',
        'x-amz-security-token': token,
      } = asked.at(-1)?.headers ?? {}
      expect(host).toBe('dynamodb.eu-central-1.amazonaws.com')
      expect(authorization).toMatch(signature)
      return [/Credential=(\w+)/.exec(authorization)?.[1], token]
    }
    const signature = new RegExp(
      '^AWS4-HMAC-SHA256 Credential=\\w+/\\d{8}/eu-central-1/dynamodb/aws4_request, ' +
        'SignedHeaders=.*host.*, Signature=[\\da-f]{64}$',
    )
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    vi.stubEnv('AWS_PROFILE', undefined)
    const client = documentClient()
    const asked = answerWith(client, {})
    expect(await signedWith('FIRST', 60_000)).toEqual(['FIRST', 'token of FIRST'])
    expect(await signedWith('SECOND', 3_600_000)).toEqual(['SECOND', 'token of SECOND'])
    expect(await signedWith('THIRD', 3_600_000)).toEqual(['SECOND', 'token of SECOND'])
  })
})

test('the hash that signs is that of Node, with a secret and without', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(
      bytes,
      bytes,
      fc.oneof(bytes, fc.string({ minLength: 1 })),
      async (first, second, secret) => {
        const plainHash = new Sha256()
        const hmac = new Sha256(secret)
        for (const hash of [plainHash, hmac]) {
          hash.update(first)
          hash.update(second)
        }
        expect(await plainHash.digest()).toEqual(
          createHash('sha256').update(first).update(second).digest(),
        )
        expect(await hmac.digest()).toEqual(
          createHmac('sha256', secret).update(first).update(second).digest(),
        )
      },
    ),
  )
})

/** From now on the client's database gives these answers. Returns what it is asked. */
function answerWith(client: DynamoDBDocumentClient, answer: unknown, statusCode = 200) {
  const asked: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array }[] =
    []
  const handle = async (request: (typeof asked)[number]) => {
    asked.push(request)
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'ID' }
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { response: { statusCode, headers, body: Readable.from([Buffer.from(text)]) } }
  }
  Object.assign(client.config, { requestHandler: { handle } })
  return asked
}

/** Attributes in the JSON of DynamoDB, of every type that this service stores. */
function attributes() {
  const text = fc.string({ unit: anyCharacter })
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 }).map(String),
    fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).map(String),
    fc.constantFrom(...['9007199254740991', '9007199254740992'].flatMap((n) => [n, `-${n}`])),
  )
  const base64 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'))
  // The SDK takes a name __proto__ for the prototype.
  const name = text.filter((each) => each !== '__proto__')
  return fc.letrec<{ map: Record<string, unknown>; attribute: unknown }>((tie) => ({
    map: fc.dictionary(name, tie('attribute'), { maxKeys: 4 }),
    attribute: fc.oneof(
      { depthSize: 'small' },
      ...[text.map((S) => ({ S })), number.map((N) => ({ N })), base64.map((B) => ({ B }))],
      ...[fc.boolean().map((BOOL) => ({ BOOL })), fc.constant({ NULL: true })],
      ...[fc.array(text).map((SS) => ({ SS })), fc.array(number).map((NS) => ({ NS }))],
      fc.array(tie('attribute'), { maxLength: 4 }).map((L) => ({ L })),
      tie('map').map((M) => ({ M })),
    ),
  })).map
}
