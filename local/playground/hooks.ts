import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Fills a form in once for each account; for the first one only where nobody has done so. */
export function useFilledFor(
  account: string | undefined,
  isFilled: boolean,
  fill: () => void,
): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (account === undefined || before.current === account) return
    if (before.current !== undefined || !isFilled) fill()
    before.current = account
  }, [account])
}

/**
 * The latest thing that was asked for, with whether it is still on its way. What was there before
 * stays meanwhile.
 */
export function useLatest<T>() {
  const [{ value, asked }, set] = useState<{ value?: T; asked?: object }>({})
  async function ask(promise: Promise<T> | T): Promise<void> {
    const own = {}
    set((before) => ({ ...before, asked: own }))
    const value = await promise
    set((before) => (before.asked === own ? { value } : before))
  }
  return [value, ask, asked !== undefined] as const
}
