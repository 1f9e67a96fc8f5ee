/**
 * Remembers what was read for so long, then reads it again. Callers at the same moment share one read. A read that fails is
 * not remembered, so the next caller reads again.
 * @param maxAge milliseconds
 * @param now gives milliseconds since the epoch
 */
export function memoizedFor<Value>(
  read: () => Promise<Value>,
  maxAge: number,
  now: () => number,
): () => Promise<Value> {
  let latest: { readonly at: number; readonly value: Promise<Value> } | undefined
  return () => {
    const age = now() - (latest?.at ?? Number.NEGATIVE_INFINITY)
    // A clock that was set back must not keep anything for longer.
    if (latest && age >= 0 && age < maxAge) return latest.value
    const reading = { at: now(), value: read() }
    latest = reading
    reading.value.catch(() => {
      if (latest === reading) latest = undefined
    })
    return reading.value
  }
}
