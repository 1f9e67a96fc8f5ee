import type { IncomingMessage } from 'node:http'

export type RequestBody =
  | { readonly kind: 'complete'; readonly bytes: Buffer }
  | { readonly kind: 'too large' }
  | { readonly kind: 'client gone' }

/** Uses events: leaving a `for await` early would destroy the socket before the 413 is on it. */
export function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve({ kind: 'too large' })

  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve({ kind: 'too large' })
      }
    })
    request.on('end', () => resolve({ kind: 'complete', bytes: Buffer.concat(chunks) }))
    request.on('error', () => resolve({ kind: 'client gone' }))
    request.on('close', () => resolve({ kind: 'client gone' }))
  })
}

/** The types that AWS hands over as text; all others, form data and a missing type included, come as base64. */
const TEXT_TYPE = /^(text\/[^;]*|application\/(json|xml|javascript))\s*(;|$)/i

export function encodeBody(
  bytes: Buffer,
  contentType: string | undefined,
): { readonly body?: string; readonly isBase64Encoded: boolean } {
  if (bytes.length === 0) return { isBase64Encoded: false }
  if (TEXT_TYPE.test(contentType ?? '')) return { body: bytes.toString('utf8'), isBase64Encoded: false }
  return { body: bytes.toString('base64'), isBase64Encoded: true }
}
