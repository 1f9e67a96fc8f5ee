/**
 * The issuer of a token gave no usable keys. The bearer of the token is not to blame. Each refused
 * request writes the message into the audit. The issuer chooses the URL of its keys and the names
 * in its certificate. They may be long, so the message has only the beginning of each.
 */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'

  constructor(url: string, why: string) {
    super(`${url.slice(0, 2100)}: ${why.slice(0, 1000)}`.toWellFormed())
  }
}

const maxBytes = 256 * 1024

/** Lambda may pause for longer than the issuer keeps a connection open. */
const headers = { accept: 'application/json', connection: 'close' }

/**
 * Fetches a JSON document. It follows no redirect, which could lead to what only this service can
 * reach.
 * @throws IssuerUnavailable unless the answer is JSON, with status 200, in time and at most 256 KiB
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { status, body } = await fetch(url, { signal, redirect: 'error', headers })
    if (status !== 200 || !body) {
      await body?.cancel()
      throw new Error(`status ${status}`)
    }
    return JSON.parse(await textOf(body))
  } catch (error) {
    throw new IssuerUnavailable(url, reasonOf(error))
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * The reason for the log, without a word of the body. If fetch fails, its error has a cause, which
 * says why. If a host has several addresses and none can be reached, the cause has a code and no
 * message.
 */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON'
  const { cause, message } = error as Error
  const why: NodeJS.ErrnoException = Object(cause)
  return why.message || why.code || message
}
