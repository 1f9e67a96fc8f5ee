import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols'

/** Attributes by name, as DynamoDB writes them in JSON, such as `{ "pk": { "S": "text" } }`. */
type Attributes = Record<string, unknown>

const reads = ['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']

/** The parts with attributes in the answers of all reads. */
type Answer = {
  readonly Item?: Attributes
  readonly Items?: Attributes[]
  readonly LastEvaluatedKey?: Attributes
  /** A batch has its items by table. A transaction has them in the order of its keys. */
  readonly Responses?: Record<string, Attributes[]> | { Item?: Attributes }[]
  readonly UnprocessedKeys?: Record<string, { Keys: Attributes[] }>
}

function itemsIn({
  Item = {},
  Items = [],
  LastEvaluatedKey = {},
  Responses = {},
  UnprocessedKeys = {},
}: Answer) {
  const read = Array.isArray(Responses)
    ? Responses.map(({ Item = {} }) => Item)
    : Object.values(Responses).flat()
  return [
    Item,
    LastEvaluatedKey,
    ...Items,
    ...read,
    ...Object.values(UnprocessedKeys).flatMap(({ Keys }) => Keys),
  ]
}

/**
 * DynamoDB's protocol. It turns the JSON of a read into our values in one pass. The SDK
 * and lib-dynamodb take three (docs/design.md#decisions). A client with this protocol also needs
 * {@link putValuesIntoAnswers}.
 */
export class ReadsInOnePass extends AwsJson1_0Protocol {
  override async serializeRequest(
    ...[operation, input, context]: Parameters<AwsJson1_0Protocol['serializeRequest']>
  ) {
    if (!reads.includes(operation.name)) return super.serializeRequest(operation, input, context)
    const request = await super.serializeRequest(operation, {}, context)
    // JSON cannot hold bytes, and the request of a read has none.
    return Object.assign(request, { body: Buffer.from(JSON.stringify(input)) })
  }

  override async deserializeResponse<Output extends { $metadata: object }>(
    ...[operation, context, response]: Parameters<AwsJson1_0Protocol['deserializeResponse']>
  ): Promise<Output> {
    if (!reads.includes(operation.name) || response.statusCode !== 200) {
      return super.deserializeResponse(operation, context, response)
    }
    const { buffer, byteOffset, byteLength } = await context.streamCollector(response.body)
    const values = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    for (const attributes of itemsIn(values)) makeValues(attributes)
    const $metadata = { httpStatusCode: 200, requestId: response.headers['x-amzn-requestid'] }
    return { $metadata, values } as object as Output
  }
}

/**
 * Puts the values into each answer. This comes after lib-dynamodb, which would convert the values
 * once more.
 */
export function putValuesIntoAnswers({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const { values, ...others } = answer.output as { values?: object } & typeof answer.output
      return values ? { ...answer, output: { ...values, ...others } } : answer
    },
    { step: 'deserialize', priority: 'high' },
  )
}

/** Replaces the attributes by their values, in the same object. */
function makeValues(attributes: Attributes): Attributes {
  for (const name in attributes) attributes[name] = valueIn(attributes[name] as Attribute)
  return attributes
}

/** A value under the name of its type. This service stores no other types. */
type Attribute = {
  S?: string
  N?: string
  B?: string
  BOOL?: boolean
  NULL?: true
  SS?: string[]
  NS?: string[]
} & { L?: Attribute[]; M?: Attributes }

/** @throws TypeError for any other type */
function valueIn(attribute: Attribute): unknown {
  if (attribute.S !== undefined) return attribute.S
  if (attribute.N !== undefined) return numberOf(attribute.N)
  if (attribute.M) return makeValues(attribute.M)
  if (attribute.L) return attribute.L.map(valueIn)
  if (attribute.BOOL !== undefined) return attribute.BOOL
  if (attribute.B !== undefined) return new Uint8Array(Buffer.from(attribute.B, 'base64'))
  if (attribute.SS) return new Set(attribute.SS)
  if (attribute.NS) return new Set(attribute.NS.map(numberOf))
  if (attribute.NULL) return null
  throw new TypeError('An answer has an attribute of no type.')
}

function numberOf(text: string): number | bigint {
  const number = Number(text)
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? BigInt(text) : number
}
