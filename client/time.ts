/** How the client waits and measures. Tests have their own. */
export type Time = {
  /** The signal ends the pause and its timer. The pause then throws the reason of the signal. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Starts a stopwatch, which returns the seconds since its start. */
  startStopwatch(): () => number
  timeout(milliseconds: number): AbortSignal
}

export const realTime: Time = {
  pause(milliseconds, signal = new AbortController().signal) {
    let timer: ReturnType<typeof setTimeout>
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds)
    })
    return unlessAborted(signal, over).finally(() => clearTimeout(timer))
  },
  // The clock that is ahead: the monotonic clock stops while a computer sleeps, and the other may
  // be set back.
  startStopwatch() {
    const steady = performance.now()
    const wall = Date.now()
    return () => Math.max(performance.now() - steady, Date.now() - wall) / 1000
  },
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
}

/**
 * Waits for a value until the signal aborts. Afterwards nothing listens to the signal: a listener
 * would keep it in memory, and Deno running.
 * @param errorOf makes what is then thrown, by default the reason of the signal itself
 */
export async function unlessAborted<Value>(
  signal: AbortSignal,
  value: Value | Promise<Value>,
  errorOf = (reason: unknown) => reason,
): Promise<Value> {
  let end = () => {}
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(errorOf(signal.reason))
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
  return Promise.race([value, aborted]).finally(() => signal.removeEventListener('abort', end))
}
