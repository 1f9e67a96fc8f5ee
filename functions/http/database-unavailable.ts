/** What DynamoDB answers when it is too busy, by name; the SDK has tried again before it lets one of these through. */
const busy = new Set([
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingError',
  'ThrottlingException',
  'TransactionConflict',
  'TransactionConflictException',
  'TransactionInProgressException',
])

/** What keeps a request from reaching it at all, or from coming back in time. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'TimeoutError',
])

type DatabaseError = Error & {
  readonly code?: unknown
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

/** Whether the same request may succeed a moment later: the database throttled it or could not be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, CancellationReasons = [] } = error as DatabaseError
  const names = [name, code, ...CancellationReasons.map(({ Code }) => Code)]
  return names.some((each) => typeof each === 'string' && (busy.has(each) || unreachable.has(each)))
}
