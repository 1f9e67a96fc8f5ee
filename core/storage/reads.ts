import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols'

/** Attributes by name, as DynamoDB writes them in JSON, such as `{ "pk": { "S": "text" } }`. */
type Attributes = Record<string, unknown>

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

type Protocol = AwsJson1_0Protocol

/**
 * The protocol of DynamoDB, which takes one pass between JSON and the values of lib-dynamodb for reads and their answers. The
 * SDK and lib-dynamodb walk over all attributes three times. A client that has it also needs {@link putValuesIntoAnswers}.
 */
export class ReadsInOnePass extends AwsJson1_0Protocol {
  override async serializeRequest(...[operation, input, context]: Parameters<Protocol['serializeRequest']>) {
    if (!(operation.name in itemsIn)) return super.serializeRequest(operation, input, context)
    const request = await super.serializeRequest(operation, {}, context)
    // JSON cannot hold bytes, and the request of a read has none.
    return Object.assign(request, { body: Buffer.from(JSON.stringify(input)) })
  }

  override async deserializeResponse<Output extends { $metadata: object }>(
    ...[operation, context, response]: Parameters<Protocol['deserializeResponse']>
  ): Promise<Output> {
    const items = (itemsIn as Record<string, (answer: never) => Attributes[]>)[operation.name]
    if (!items || response.statusCode !== 200) return super.deserializeResponse(operation, context, response)
    const { buffer, byteOffset, byteLength } = await context.streamCollector(response.body)
    const values = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    for (const attributes of items(values as never)) makeValues(attributes)
    const $metadata = { httpStatusCode: 200, requestId: response.headers['x-amzn-requestid'] }
    return { $metadata, values } as object as Output
  }
}

/** Puts the values into each answer after lib-dynamodb, which would take them for attributes and convert them. */
export function putValuesIntoAnswers({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const { values, ...others } = answer.output as { values?: object } & typeof answer.output
      return values ? { ...answer, output: { ...values, ...others } } : answer
    },
    { step: 'deserialize', priority: 'high', name: 'valuesIntoAnswers' },
  )
}

/** Changes the object in place. */
function makeValues(attributes: Attributes): Attributes {
  for (const name in attributes) attributes[name] = valueIn(attributes[name] as Attributes)
  return attributes
}

/** @throws TypeError for a type that this service does not store */
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
