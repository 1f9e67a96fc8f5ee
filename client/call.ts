import { ApiError } from './api-error.ts'

export type Service = {
  /** The address of the service, such as `https://api.example.com`. `redeem` also takes a path. */
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
 * Makes a function that calls operations and reads their answers, whose types are the contract's.
 * It throws an {@link ApiError} for every answer that is not a success. If an answer is missing or
 * breaks off, the error names the request.
 */
export function callerOf({ baseUrl, fetch = globalThis.fetch }: Service) {
  return async <Answer>(method: string, path: string, call: Call): Promise<Answer> => {
    const { body, headers, signal } = call
    const request = new Request(baseUrl.replace(/\/+$/, '') + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: JSON.stringify(body),
      signal,
    })
    // Safari forgets the signal of a request unless something holds both until the answer.
    const noAnswer = (error: unknown) => {
      const cause = signal.reason ?? error
      throw new Error(`${method} ${request.url} got no answer: ${cause}`, { cause })
    }
    const response = await fetch(request).catch(noAnswer)
    if (!response.ok) throw new ApiError(response, await response.json().catch(() => {}))
    if (response.status === 204) return undefined as Answer
    return (await response.json().catch(noAnswer)) as Answer
  }
}

/** @throws TypeError if it is not an absolute address of http or https */
export const requireWebAddress = (name: string, address: string): void =>
  requireLike(name, address, /^https?:\/\/[^/]/i.test(address))

/** @throws TypeError that says what a setting must be like */
export function requireLike(name: string, value: string, isRight: boolean): void {
  if (!isRight) throw new TypeError(`${name} must be like https://example.com, not "${value}".`)
}
