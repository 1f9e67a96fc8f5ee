/** Seconds since it was started. */
export type Stopwatch = () => number

/**
 * Measures by two clocks and believes the one that is ahead: the monotonic one stands still while a computer sleeps, and
 * the other one may be set back.
 */
export function startStopwatch(): Stopwatch {
  const [steady, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - steady, Date.now() - wall) / 1000
}
