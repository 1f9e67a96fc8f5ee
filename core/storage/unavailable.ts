/** The names of DynamoDB's errors when it is asked for more than it gives. */
const throttled = /^((Limit|ProvisionedThroughput|RequestLimit)Exceeded|Throttling|TooManyRequests)(Exception|Error)?$/

/** The names of its errors when another transaction has one of the items. */
const conflicting = /^Transaction(Conflict|InProgress)(Exception)?$/

/** Errors that keep a request from leaving this machine. */
const unsent = /^(EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND)$/

/** Errors after which nobody knows whether the request was done: no answer, or none that is whole and in time. */
const unanswered =
  /^(ECONNRESET|EPIPE|ETIMEDOUT|AbortError|TimeoutError|InternalServerError|ServiceUnavailable|UnreadableAnswer)$/

type DatabaseError = Error & {
  readonly code?: unknown
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
  readonly $metadata?: { readonly httpStatusCode?: number }
}

function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { name, code, CancellationReasons = [] } = error as DatabaseError
  return [name, code, ...CancellationReasons.map(({ Code }) => Code)].filter((each) => typeof each === 'string')
}

export const statusOf = (error: unknown): number => (error as DatabaseError | undefined)?.$metadata?.httpStatusCode ?? 0

/** Whether the error is of these. If a condition failed too, no later try helps, so that does not count. */
function isOnly(error: unknown, meant: RegExp): boolean {
  const names = namesOf(error)
  return !names.includes('ConditionalCheckFailed') && names.some((name) => meant.test(name))
}

export const isThrottled = (error: unknown): boolean => statusOf(error) === 429 || isOnly(error, throttled)

/** Whether the request only met another transaction. Nothing was written, so it may be sent again. */
export const isConflict = (error: unknown): boolean => isOnly(error, conflicting)

/** Whether nobody knows what became of the request. It may have been done, or may still be. */
export const isUnanswered = (error: unknown): boolean =>
  statusOf(error) >= 500 || namesOf(error).some((name) => unanswered.test(name))

/** Whether the same request may succeed a moment later. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  statusOf(error) === 429 ||
  isUnanswered(error) ||
  namesOf(error).some((name) => [throttled, conflicting, unsent].some((meant) => meant.test(name)))
