import { PassThrough, Readable } from 'node:stream'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import * as commands from '@aws-sdk/lib-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import type { Database } from '../simulation/database.ts'

/** An answer of the database as the SDK's HTTP handler hands it on. */
export type Answer = { statusCode: number; headers: Record<string, string>; body: Readable }

export const answerOf = (
  statusCode: number,
  text: string,
  type = 'application/x-amz-json-1.0',
): Answer => {
  const bytes = Buffer.from(text)
  return {
    statusCode,
    headers: {
      'content-type': type,
      'content-length': String(bytes.length),
      'x-amzn-requestid': 'FAULT',
    },
    body: Readable.from([bytes]),
  }
}

export const bytesOf = async ({ body }: Answer): Promise<Buffer> =>
  Buffer.concat(await body.toArray())

/** An answer of half the bytes. What comes after them ends the stream, or breaks it. */
export async function halfOf(answer: Answer, then: (body: PassThrough) => void): Promise<Answer> {
  const bytes = await bytesOf(answer)
  const body = new PassThrough()
  body.write(bytes.subarray(0, bytes.length / 2))
  then(body)
  return { ...answer, body }
}

/** An error. Nobody may be told its message. */
export const errorAnswer = (statusCode: number, type: string, more: object = {}): Answer =>
  answerOf(
    statusCode,
    JSON.stringify({ __type: type, message: 'about secret-table-name', ...more }),
  )

export const dynamodb = 'com.amazonaws.dynamodb.v20120810#'

const commandOf: Readonly<Record<string, string>> = {
  BatchGetItem: 'BatchGet',
  TransactGetItems: 'TransactGet',
  TransactWriteItems: 'TransactWrite',
}

/** Answers a request to DynamoDB from the simulated database. */
export function answerFrom(database: Database, operation: string, body: object): Answer {
  const name = `${commandOf[operation] ?? operation.replace('Item', '')}Command`
  const Command = Reflect.get(commands, name) as new (input: object) => { readonly input: object }
  try {
    const output = database.execute(new Command(converted(body, valuesOf)))
    return answerOf(200, JSON.stringify(converted(output, marshall), asBase64))
  } catch (error) {
    const { $fault, $metadata, message, name, ...more } = error as Error & {
      $fault?: string
      $metadata?: object
    }
    if (!$fault) throw error
    return errorAnswer(400, dynamodb + name, more)
  }
}

/** JSON has bytes as base64. */
const valuesOf = (attributes: Record<string, AttributeValue>) =>
  unmarshall(
    JSON.parse(JSON.stringify(attributes), (type, value) =>
      type === 'B' && typeof value === 'string'
        ? new Uint8Array(Buffer.from(value, 'base64'))
        : value,
    ),
  )

const asBase64 = (_: string, value: unknown) =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value

/** Fields that hold attributes, and those that hold a list of such. */
const attributes =
  /^(Item|Key|ExpressionAttributeValues|ExclusiveStartKey|LastEvaluatedKey|Attributes)$/
const lists = /^(Items|Keys)$/

/** A copy in which `convert` has been applied to all attributes. */
function converted(value: object, convert: (attributes: never) => object): object {
  const inner = (each: unknown) =>
    typeof each === 'object' && each !== null ? converted(each, convert) : each
  if (Array.isArray(value)) return value.map(inner)
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      if (attributes.test(name)) return [name, convert(each as never)]
      if (lists.test(name)) return [name, (each as never[]).map(convert)]
      // A batch answers with the items of each table.
      if (name === 'Responses' && !Array.isArray(each)) {
        const tables = Object.entries(each as Record<string, never[]>)
        return [
          name,
          Object.fromEntries(tables.map(([table, items]) => [table, items.map(convert)])),
        ]
      }
      return [name, inner(each)]
    }),
  )
}
