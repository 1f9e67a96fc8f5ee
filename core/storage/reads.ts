import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** Attributes by name, as DynamoDB writes them in JSON, such as `{ "pk": { "S": "text" } }`. */
type Attributes = Record<string, unknown>

type Protocol = {
  serializeRequest(operation: { readonly name: string }, input: object, context: object): Promise<object>
  deserializeResponse(
    operation: { readonly name: string },
    context: { streamCollector(body: unknown): Promise<Uint8Array> },
    response: { readonly statusCode: number; readonly headers: Record<string, string>; readonly body: unknown },
  ): Promise<object>
}

/** The parts with attributes in the answer of each read. */
const itemsIn = {
  GetItem: ({ Item = {} }: { Item?: Attributes }) => [Item],
  Query: listed,
  Scan: listed,
  BatchGetItem: ({ Responses = {}, UnprocessedKeys = {} }: BatchAnswer) =>
    [...Object.values(Responses), ...Object.values(UnprocessedKeys).map(({ Keys }) => Keys)].flat(),
  TransactGetItems: ({ Responses = [] }: { Responses?: { Item?: Attributes }[] }) =>
    Responses.map(({ Item = {} }) => Item),
}

type BatchAnswer = {
  Responses?: Record<string, Attributes[]>
  UnprocessedKeys?: Record<string, { Keys: Attributes[] }>
}

function listed({ Items = [], LastEvaluatedKey = {} }: { Items?: Attributes[]; LastEvaluatedKey?: Attributes }) {
  return [...Items, LastEvaluatedKey]
}

/**
 * Lets the client write reads, and read the answers to them, in one pass between JSON and the values of lib-dynamodb. By
 * themselves, the SDK and lib-dynamodb walk over all attributes three times, and write requests letter by letter.
 */
export function readInOnePass(client: DynamoDBClient): void {
  const protocol = client.config.protocol as unknown as Protocol
  const serializeRequest: Protocol['serializeRequest'] = async (operation, input, context) => {
    if (!(operation.name in itemsIn)) return protocol.serializeRequest(operation, input, context)
    const request = await protocol.serializeRequest(operation, {}, context)
    // The request of a read has no bytes, which JSON could not hold.
    return Object.assign(request, { body: Buffer.from(JSON.stringify(input)) })
  }
  const deserializeResponse: Protocol['deserializeResponse'] = async (operation, context, response) => {
    const items = (itemsIn as Record<string, (answer: never) => Attributes[]>)[operation.name]
    if (!items || response.statusCode !== 200) return protocol.deserializeResponse(operation, context, response)
    const { buffer, byteOffset, byteLength } = await context.streamCollector(response.body)
    const read = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as object
    for (const attributes of items(read as never)) makeValues(attributes)
    return { read, $metadata: { httpStatusCode: 200, requestId: response.headers['x-amzn-requestid'] } }
  }
  const own = { serializeRequest, deserializeResponse }
  Object.assign(client.config, { protocol: Object.assign(Object.create(protocol), own) })
  // lib-dynamodb would take the values for attributes and convert them. So they are put into the answer after that.
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const { read, ...others } = answer.output as { read?: object } & typeof answer.output
      return read ? { ...answer, output: { ...read, ...others } } : answer
    },
    { step: 'deserialize', priority: 'high', name: 'readInOnePass' },
  )
}

/** Changes the object in place. */
function makeValues(attributes: Attributes): Attributes {
  for (const name in attributes) attributes[name] = valueIn(attributes[name] as Attributes)
  return attributes
}

/** @throws TypeError for a type that DynamoDB doesn't have */
function valueIn(attribute: Attributes): unknown {
  for (const type in attribute) {
    const value = attribute[type] as never
    switch (type) {
      case 'S':
      case 'BOOL':
        return value
      case 'N':
        return numberOf(value)
      case 'B':
        return bytesOf(value)
      case 'NULL':
        return null
      case 'M':
        return makeValues(value)
      case 'L':
        return (value as Attributes[]).map(valueIn)
      case 'SS':
        return new Set(value)
      case 'NS':
        return new Set((value as string[]).map(numberOf))
      case 'BS':
        return new Set((value as string[]).map(bytesOf))
    }
  }
  throw new TypeError('An answer has an attribute of no type.')
}

function bytesOf(base64: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(base64, 'base64')
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function numberOf(text: string): number | bigint {
  const number = Number(text)
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? BigInt(text) : number
}
