import { PassThrough, Readable } from 'node:stream'

/** An answer of the database as the SDK's HTTP handler hands it on. */
export type Answer = { statusCode: number; headers: Record<string, string>; body: Readable }

export const answerOf = (statusCode: number, text: string | Buffer, type = 'application/x-amz-json-1.0'): Answer => {
  const bytes = Buffer.from(text)
  return {
    statusCode,
    headers: { 'content-type': type, 'content-length': String(bytes.length), 'x-amzn-requestid': 'FAULT' },
    body: Readable.from([bytes]),
  }
}

/** An answer of half the bytes. What comes after them ends the stream, or breaks it. */
export function halfOf({ statusCode, headers }: Answer, bytes: Buffer, then: (body: PassThrough) => void): Answer {
  const body = new PassThrough()
  body.write(bytes.subarray(0, bytes.length / 2))
  then(body)
  return { statusCode, headers, body }
}

export async function bytesOf({ body }: Answer): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** An error. Nobody may be told its message. */
export const errorAnswer = (statusCode: number, type: string, more: object = {}): Answer =>
  answerOf(statusCode, JSON.stringify({ __type: type, message: 'about secret-table-name', ...more }))

export const dynamodb = 'com.amazonaws.dynamodb.v20120810#'
