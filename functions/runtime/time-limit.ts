/**
 * Middy's options for a function that answers requests. One that runs out of time gives up this many milliseconds before its
 * end, which leaves time for the answer. Its signal ends its calls, so that it sends nothing after its answer.
 */
export const timeLimit = {
  timeoutEarlyInMillis: 250,
  timeoutEarlyResponse: (): never => {
    // The SDK's own errors of time have the same name.
    throw new DOMException('The function gave up shortly before the end of its time.', 'TimeoutError')
  },
}
