import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { Storage } from '@embed-access/core/storage/storage.ts'

type Handler = Storage['client']['config']['requestHandler']

/**
 * A call that is signed, sent by the SDK's HTTP handler and parsed, and nothing else: no retry, no error, no refresh of
 * credentials. The answer's attributes stay as they come.
 */
export function ideal(
  handler: Handler,
  endpoint: string,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
) {
  const { hostname, port, host, protocol } = new URL(endpoint)
  let signing: { readonly day: string; readonly key: KeyObject } | undefined
  const keyOf = (day: string): KeyObject => {
    if (signing?.day === day) return signing.key
    let bytes: Buffer = Buffer.from(`AWS4${secretAccessKey}`)
    for (const part of [day, 'local', 'dynamodb', 'aws4_request']) bytes = hmac(createSecretKey(bytes), part)
    signing = { day, key: createSecretKey(bytes) }
    return signing.key
  }
  return async (operation: string, input: object): Promise<unknown> => {
    const body = Buffer.from(JSON.stringify(input))
    const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const day = time.slice(0, 8)
    const target = `DynamoDB_20120810.${operation}`
    const signed = 'content-type;host;x-amz-date;x-amz-target'
    const type = 'application/x-amz-json-1.0'
    const canonical = `POST\n/\n\ncontent-type:${type}\nhost:${host}\nx-amz-date:${time}\nx-amz-target:${target}\n\n${signed}\n${hash('sha256', body)}`
    const scope = `${day}/local/dynamodb/aws4_request`
    const signature = hmac(keyOf(day), `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', canonical)}`).toString(
      'hex',
    )
    const headers = {
      'content-type': type,
      'content-length': String(body.length),
      host,
      'x-amz-date': time,
      'x-amz-target': target,
      authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    }
    const request = { method: 'POST', protocol, hostname, port: Number(port), path: '/', query: {}, headers, body }
    const { response } = await handler.handle(request as never)
    const chunks: Buffer[] = []
    for await (const chunk of response.body as AsyncIterable<Buffer>) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString())
  }
}

const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()
