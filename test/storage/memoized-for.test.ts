import { memoizedFor } from '@embed-access/core/storage/memoized-for.ts'
import { describe, expect, test } from 'vitest'

describe('what is kept for a second', () => {
  /** Something that counts how often it is read, at a time that only the test moves. */
  function counted() {
    const state = { now: 10_000, reads: 0, isDown: false }
    const read = async () => {
      state.reads += 1
      if (state.isDown) throw new Error('down')
      return state.reads
    }
    return { state, get: memoizedFor(read, 1000, () => state.now) }
  }

  test('is read once by callers at the same moment, and again a second later', async () => {
    const { state, get } = counted()
    expect(await Promise.all([get(), get()])).toEqual([1, 1])
    state.now += 999
    expect(await get()).toBe(1)
    state.now += 1
    expect(await get()).toBe(2)
  })

  test('is read again when the clock was set back, and then kept for a second at most', async () => {
    const { state, get } = counted()
    await get()
    state.now -= 5000
    expect(await get()).toBe(2)
    state.now += 999
    expect(await get()).toBe(2)
    state.now += 1
    expect(await get()).toBe(3)
  })

  test('is not kept where the read failed', async () => {
    const { state, get } = counted()
    state.isDown = true
    await expect(get()).rejects.toThrow('down')
    state.isDown = false
    expect(await get()).toBe(2)
  })
})
