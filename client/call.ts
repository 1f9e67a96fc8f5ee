import { ApiError } from './api-error.ts'

export type Service = {
  /** The address of the service, such as `https://api.example.com`. In a browser it may be relative. */
  readonly baseUrl: string
  /** In place of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** What an operation is called with. */
export type Call = {
  readonly body?: object | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal: AbortSignal
}

/**
 * Makes a function that calls operations. It throws an {@link ApiError} for every answer that is
 * not a success, and names the request that gets no answer.
 */
export function callerOf({ baseUrl, fetch = globalThis.fetch }: Service) {
  return async (method: string, path: string, call: Call): Promise<Response> => {
    const url = baseUrl.replace(/\/+$/, '') + path
    const { body, headers, signal } = call
    const init = {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: JSON.stringify(body),
      signal,
    }
    const response = await fetch(new Request(url, init)).catch((cause: unknown) => {
      throw new Error(`${method} ${url} got no answer: ${cause}`, { cause })
    })
    if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined))
    return response
  }
}

/** @throws TypeError if a backend could not call this */
export const requireWebAddress = (name: string, address: string): void =>
  requireLike(name, address, /^https?:\/\/[^/]/i.test(address))

/** @throws TypeError that says what a setting must be like */
export function requireLike(name: string, value: string, isRight: boolean): void {
  if (!isRight) throw new TypeError(`${name} must be like https://example.com, not "${value}".`)
}
