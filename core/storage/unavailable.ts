/** The names of DynamoDB's errors when it is asked for more than it gives. */
const throttled =
  /^(((Request)?Limit|ProvisionedThroughput)Exceeded|Throttling|TooManyRequests)(Exception|Error)?$/

/** The names of DynamoDB's errors when another transaction has one of the items. */
const conflicting = /^Transaction(Conflict|InProgress)(Exception)?$/

/** A failed condition, or an item that others have made too large for this transaction. */
const failedCondition = /^(ConditionalCheckFailed(Exception)?|ValidationError)$/

/** Errors that keep a request from leaving this machine. */
const unsent = /^(EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND)$/

/** Errors after which nobody knows whether the request was done. */
const noAnswer = /^(ECONNRESET|EPIPE|ETIMEDOUT|AbortError|TimeoutError)$/
const noGoodAnswer = /^(InternalServerError|ServiceUnavailable|UnreadableAnswer)$/

type DatabaseError = Error & {
  readonly code?: unknown
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
  readonly $metadata?: { readonly httpStatusCode?: number }
}

function hasName(error: unknown, meant: RegExp): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, CancellationReasons = [] } = error as DatabaseError
  const names = [name, code, ...CancellationReasons.map(({ Code }) => Code)]
  return names.some((each) => meant.test(String(each)))
}

export const statusOf = (error: unknown): number =>
  (error as DatabaseError | undefined)?.$metadata?.httpStatusCode ?? 0

/**
 * Whether a condition failed. To send the same request again does not help. The caller may read
 * again, and make another request.
 */
export const hasFailedCondition = (error: unknown): boolean => hasName(error, failedCondition)

export const isThrottled = (error: unknown): boolean =>
  statusOf(error) === 429 || (hasName(error, throttled) && !hasFailedCondition(error))

/** Whether the request met another transaction. It wrote nothing, so it may be sent again. */
export const isConflict = (error: unknown): boolean =>
  hasName(error, conflicting) && !hasFailedCondition(error)

/** Whether nobody knows what became of the request. It may still be done. */
export const isUnanswered = (error: unknown): boolean =>
  statusOf(error) >= 500 || hasName(error, noAnswer) || hasName(error, noGoodAnswer)

/** Whether the same request may succeed a moment later. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isThrottled(error) || isConflict(error) || isUnanswered(error) || hasName(error, unsent)

/** The database kept refusing part of a request. The SDK's own throttling errors have this name. */
export class ThrottledError extends Error {
  override readonly name = 'ThrottlingException'
}
