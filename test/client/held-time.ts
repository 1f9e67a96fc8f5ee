import { realTime } from '../../client/time.ts'

/** A time in which the test ends pauses and patience. Its clock and its stopwatches go by `now`. */
export function heldTime(now: () => number = Date.now) {
  const pauses: { readonly milliseconds: number; readonly end: () => void }[] = []
  const patience = new AbortController()
  const time = {
    ...realTime,
    now,
    startStopwatch() {
      const start = now()
      return () => (now() - start) / 1000
    },
    pause: (milliseconds: number) => new Promise<void>((end) => pauses.push({ milliseconds, end })),
    timeout: () => patience.signal,
  }
  return { time, pauses, patience }
}
