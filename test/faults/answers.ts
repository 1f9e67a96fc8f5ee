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

const errorAnswer = (statusCode: number, type: string, more: object = {}): Answer =>
  answerOf(statusCode, JSON.stringify({ __type: type, message: 'about secret-table-name', ...more }))

const dynamodb = 'com.amazonaws.dynamodb.v20120810#'

/** Errors that the database, or what is before it, answers with. */
export const errorAnswers = {
  ThrottlingException: () => errorAnswer(400, 'com.amazon.coral.availability#ThrottlingException'),
  ProvisionedThroughputExceededException: () => errorAnswer(400, `${dynamodb}ProvisionedThroughputExceededException`),
  RequestLimitExceeded: () => errorAnswer(400, `${dynamodb}RequestLimitExceeded`),
  InternalServerError: () => errorAnswer(500, `${dynamodb}InternalServerError`),
  InternalFailure: () => errorAnswer(500, 'com.amazon.coral.service#InternalFailure'),
  ServiceUnavailable: () => errorAnswer(503, 'com.amazon.coral.availability#ServiceUnavailable'),
  ServiceUnavailableException: () => errorAnswer(503, 'com.amazon.coral.service#ServiceUnavailableException'),
  'HTML with 503': () => answerOf(503, '<html><h1>503 Service Unavailable</h1></html>', 'text/html'),
  'HTML with 502': () => answerOf(502, '<html>bad gateway</html>', 'text/html'),
  'nothing with 503': () => answerOf(503, ''),
  'nonsense with 200': () => answerOf(200, '\u0000<<secret-table-name{{{'),
  'HTML with 400': () => answerOf(400, '<html>', 'text/html'),
  AccessDeniedException: () => errorAnswer(400, 'com.amazon.coral.service#AccessDeniedException'),
  ResourceNotFoundException: () => errorAnswer(400, `${dynamodb}ResourceNotFoundException`),
  ValidationException: () => errorAnswer(400, 'com.amazon.coral.validate#ValidationException'),
}

/** A transaction that was cancelled for the first of its items. */
export const cancelled = (code: string, items: number): Answer =>
  errorAnswer(400, `${dynamodb}TransactionCanceledException`, {
    CancellationReasons: Array.from({ length: items }, (_, item) => ({ Code: item === 0 ? code : 'None' })),
  })

export const conflict = (): Answer => errorAnswer(400, `${dynamodb}TransactionConflictException`)
