/** How the client waits and measures. Tests have their own. */
export type Time = {
  pause(milliseconds: number): Promise<void>
  /** Starts a stopwatch, which returns the seconds since its start. */
  startStopwatch(): () => number
  timeout(milliseconds: number): AbortSignal
}

export const realTime: Time = {
  pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  // The clock that is ahead: the monotonic clock stops while a computer sleeps, and the other may
  // be set back.
  startStopwatch() {
    const [steady, wall] = [performance.now(), Date.now()]
    return () => Math.max(performance.now() - steady, Date.now() - wall) / 1000
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}
