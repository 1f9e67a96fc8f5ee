import type { components } from './contract.ts'

type Problem = components['schemas']['Problem']
type GatewayError = components['schemas']['GatewayError']

/** The codes known when this client was made; a later service may have more. */
export type ErrorCode = Problem['code']

export type InputError = components['schemas']['InputError']

/** An answer of the service that says no. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** What to branch on. Undefined where API Gateway refused by itself, which has no codes. */
  readonly code: ErrorCode | undefined
  /** Everything that is wrong with the input, if it is the input that is wrong. */
  readonly errors: readonly InputError[]
  /** Finds the request in the logs of the service. */
  readonly requestId: string | undefined
  /** In how many seconds to try again, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const problem = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem & GatewayError>
    super(problem.message ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = problem.code
    this.errors = problem.errors ?? []
    this.requestId = problem.requestId ?? response.headers.get('apigw-requestid') ?? undefined
    const retryAfter = response.headers.get('retry-after')
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
  }
}
