/** What DynamoDB answers when it is asked for more than it gives, by name. */
const throttled = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ThrottlingException',
])

/** What it answers where another transaction has one of the items. */
const conflicting = new Set(['TransactionConflict', 'TransactionConflictException', 'TransactionInProgressException'])

/** What keeps a request from reaching it at all, from being done, or from coming back in time. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'InternalServerError',
  'ServiceUnavailable',
  'TimeoutError',
])

type DatabaseError = Error & {
  readonly code?: unknown
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

/** Every name of the error: its own, its code's, and those of the reasons why its transaction was cancelled. */
function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const { name, code, CancellationReasons = [] } = error as DatabaseError
  return [name, code, ...CancellationReasons.map(({ Code }) => Code)].filter((each) => typeof each === 'string')
}

const conditionFailed = 'ConditionalCheckFailed'

/** Whether the database throttled the request. A transaction whose condition failed as well is not for trying again. */
export function isThrottled(error: unknown): boolean {
  const names = namesOf(error)
  return !names.includes(conditionFailed) && names.some((name) => throttled.has(name))
}

/** Whether a transaction was in the way, and nothing else. Nothing was written, so the request may be sent again. */
export function isConflict(error: unknown): boolean {
  const names = namesOf(error)
  return !names.includes(conditionFailed) && names.some((name) => conflicting.has(name))
}

/** Whether the same request may succeed a moment later. The SDK has tried again before it lets such an error through. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  namesOf(error).some((name) => throttled.has(name) || conflicting.has(name) || unreachable.has(name))
