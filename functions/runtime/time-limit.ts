/** A function has not finished in its time. The name is that of the SDK's own errors of time. */
export class OutOfTime extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * How a function ends that is about to run out of its time: it gives up so many milliseconds before, which leaves time for
 * the answer. Its signal ends its calls, so that nothing is done any more that the caller was told has failed.
 */
export const timeLimit = {
  timeoutEarlyInMillis: 250,
  timeoutEarlyResponse: (): never => {
    throw new OutOfTime('The function gave up shortly before the end of its time.')
  },
}
