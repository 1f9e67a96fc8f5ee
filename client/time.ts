/** How the client waits and measures. Tests have their own. */
export type Time = {
  /** The signal ends the pause and its timer. The pause then throws the reason of the signal. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Starts a stopwatch, which returns the seconds since its start. */
  startStopwatch(): () => number
  timeout(milliseconds: number): AbortSignal
}

export const realTime: Time = {
  pause: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, milliseconds)
      const end = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      if (signal?.aborted) end()
      signal?.addEventListener('abort', end)
    }),
  // The clock that is ahead: the monotonic clock stops while a computer sleeps, and the other may
  // be set back.
  startStopwatch() {
    const steady = performance.now()
    const wall = Date.now()
    return () => Math.max(performance.now() - steady, Date.now() - wall) / 1000
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}
