/** The names of DynamoDB's errors when it is too busy. The SDK retries before it throws one of them. */
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

/** The names and codes of errors when DynamoDB cannot be reached or does not answer in time. */
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

/** Whether the same request may succeed a moment later, because the database throttled it or could not be reached. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { name, code, CancellationReasons = [] } = error as DatabaseError
  const names = [name, code, ...CancellationReasons.map(({ Code }) => Code)]
  return names.some((each) => typeof each === 'string' && (busy.has(each) || unreachable.has(each)))
}
