import { realTime } from '../../client/time.ts'

/** A time in which the test ends pauses and patience. Its clock and its stopwatches go by `now`. */
export function heldTime(now: () => number = Date.now) {
  const pauses: { readonly milliseconds: number; readonly end: () => void }[] = []
  const timeouts: AbortController[] = []
  /** Ends all that wait for something now, as a real timeout does. */
  const late = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  const patience = {
    abort: () => timeouts.splice(0).forEach((timeout) => void timeout.abort(late())),
  }
  const time = {
    ...realTime,
    now,
    startStopwatch() {
      const start = now()
      return () => (now() - start) / 1000
    },
    pause: (milliseconds: number) => new Promise<void>((end) => pauses.push({ milliseconds, end })),
    timeout() {
      const timeout = new AbortController()
      timeouts.push(timeout)
      return timeout.signal
    },
  }
  return { time, pauses, patience }
}
