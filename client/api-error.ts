import type { components } from './contract.ts'

type Problem = components['schemas']['Problem']
type GatewayError = components['schemas']['GatewayError']

/** The codes that this client knows. A later service may have more. */
export type ErrorCode = Problem['code']

export type InputError = components['schemas']['InputError']

/**
 * The service refused a request, or failed.
 * @example
 * try {
 *   await client.generateSession(request)
 * } catch (error) {
 *   if (error instanceof ApiError && error.code === 'unknown_name') console.error(error.errors)
 *   else throw error
 * }
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The code to branch on. Undefined if API Gateway itself refused the request. */
  readonly code: ErrorCode | undefined
  /** Every mistake in the input. Empty if the input is not the reason. */
  readonly errors: readonly InputError[]
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined
  /** How long to wait before another try, if the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Problem & GatewayError
    >
    super(problem.message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = problem.code
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId ?? response.headers.get('apigw-requestid') ?? undefined
    this.retryAfterSeconds = retryAfterSeconds(response)
  }
}

/** `Retry-After` is a number of seconds or a date, by the clock of whoever answers. */
export function retryAfterSeconds({ headers }: Response): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value)
  const now = Date.parse(headers.get('date') ?? '') || Date.now()
  const seconds = (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
