/**
 * Whether a time is less than `maxAge` ms ago. A time in the future is not recent: somebody has set
 * the clock back.
 */
export const isRecent = (at: number | undefined, maxAge: number, now: number): boolean =>
  at !== undefined && at <= now && now < at + maxAge

/**
 * Makes a function that remembers for `maxAge` ms what it has read. It remembers no failure.
 * Callers share a read that is under way.
 */
export function memoizedFor<Value, Given extends readonly unknown[]>(
  read: (...given: Given) => Promise<Value>,
  maxAge: number,
  now: () => number,
) {
  let latest: { readonly at: number; readonly value: Promise<Value> } | undefined
  return (...given: Given) => {
    if (latest && isRecent(latest.at, maxAge, now())) return latest.value
    const reading = { at: now(), value: read(...given) }
    latest = reading
    reading.value.catch(() => {
      if (latest === reading) latest = undefined
    })
    return reading.value
  }
}
