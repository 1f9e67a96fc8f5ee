/** The issuer of a token didn't give usable keys. This is not the bearer's fault. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

const maxBytes = 256 * 1024

/** Lambda may pause for longer than the issuer keeps a connection. */
const headers = { accept: 'application/json', connection: 'close' }

/**
 * Follows no redirect, which could lead to a place that only this service can reach.
 * @throws IssuerUnavailable unless the answer is JSON, with status 200, in time and at most 256 KiB
 */
export async function fetchDocument(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers })
    if (response.status !== 200) {
      await response.body?.cancel()
      throw new Error(`status ${response.status}`)
    }
    return JSON.parse(await textOf(response))
  } catch (error) {
    throw new IssuerUnavailable(`${url}: ${reasonOf(error)}`)
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Stryker disable next-line ArrayDeclaration: The default of what is always there.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/**
 * The reason for the log, which never has any of the body. fetch itself only says "fetch failed"
 * and keeps the cause.
 */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON'
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}
