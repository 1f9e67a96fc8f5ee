/**
 * Whether something was less than `maxAge` milliseconds ago. A time in the future is not: the clock
 * was set back.
 */
export const isRecent = (at: number | undefined, maxAge: number, now: number): boolean =>
  at !== undefined && at <= now && now < at + maxAge

/**
 * Remembers what was read for so many milliseconds. Callers at the same moment share one read. A
 * failure is forgotten.
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
