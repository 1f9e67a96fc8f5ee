/** Returns the seconds since its start. */
export type Stopwatch = () => number

/**
 * Starts a stopwatch. It uses the clock that is ahead: the monotonic clock stops while a computer sleeps, and the other
 * may be set back.
 * @example
 * const age = startStopwatch()
 * if (age() > 300) await renew()
 */
export function startStopwatch(): Stopwatch {
  const [steady, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - steady, Date.now() - wall) / 1000
}
