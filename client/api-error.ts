import type { components } from './contract.ts'

type Problem = components['schemas']['Problem']
type GatewayError = components['schemas']['GatewayError']

/** The codes that this client knows. A later service may have more. */
export type ErrorCode = Problem['code']

export type InputError = components['schemas']['InputError']

/** The service refused a request, or failed. README.md shows how to catch it. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  declare readonly status: number
  /** The code to branch on. Undefined if API Gateway itself refused the request. */
  declare readonly code: ErrorCode | undefined
  /** The mistakes in the input. Empty if the input is not the reason. */
  declare readonly errors: readonly InputError[]
  /** The id of the request in the logs of the service. */
  declare readonly requestId: string | undefined
  /** How long to wait before another try, if the service says so. */
  declare readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const { status, headers } = response
    const {
      code,
      message = `The service answered ${status}.`,
      errors = [],
      requestId = headers.get('apigw-requestid') ?? undefined,
    } = (body ?? {}) as Partial<Problem & GatewayError>
    super(message)
    const retryAfterSeconds = secondsToWait(response)
    Object.assign(this, { status, code, errors, requestId, retryAfterSeconds })
  }
}

/** `Retry-After` is a number of seconds or a date. */
export function secondsToWait({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (!value) return undefined
  const seconds = Number(value)
  if (seconds >= 0) return seconds
  const untilDate = (Date.parse(value) - Date.now()) / 1000
  return untilDate > 0 ? untilDate : undefined
}
