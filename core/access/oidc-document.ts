/** The issuer of a token could not be asked for its keys, or what it answered is of no use: not the bearer's doing. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable'
}

/** A key set has a few keys of at most some KB each; whoever sends more is not sending a key set. */
const mostBytes = 256 * 1024

/** No connection is kept: Lambda may stand still between two requests for longer than the other end keeps it. */
const headers = { accept: 'application/json', connection: 'close' }

/**
 * A JSON document of an issuer. A redirect is not followed, wherever it leads: it could make this service call what
 * only it can reach.
 * @throws IssuerUnavailable unless the answer is 200, in time, short enough and JSON
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
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw new Error(`more than ${mostBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** fetch says no more than "fetch failed"; why stands in its cause. Never the body, which is not ours to log. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'not JSON'
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
