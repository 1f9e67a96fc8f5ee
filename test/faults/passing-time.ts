import { vi } from 'vitest'

/** Work that takes real time: cryptography. While there is any, no virtual time passes. */
let working = 0

async function real<Result>(work: Promise<Result>): Promise<Result> {
  working += 1
  try {
    return await work
  } finally {
    working -= 1
  }
}

/**
 * Idle turns of the loop after which nothing can be under way but what waits for time to pass, or
 * for a socket.
 */
const idleTurns = 12

/** How often it may find no timer: a busy machine takes its time to connect a socket. */
const mostWithoutTimer = 1_000_000

async function untilIdle(): Promise<void> {
  for (let idle = 0; idle < idleTurns; idle = working === 0 ? idle + 1 : 0) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Settles a promise while time passes virtually: whenever nothing else is to do, the next timer
 * goes off.
 */
export async function passTime<Result>(settling: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), ms)
    return controller.signal
  })
  const cryptography = (['sign', 'verify', 'importKey'] as const).map((name) => {
    const work = crypto.subtle[name].bind(crypto.subtle) as (...given: unknown[]) => Promise<never>
    return vi
      .spyOn(crypto.subtle, name)
      .mockImplementation((...given: unknown[]) => real(work(...given)))
  })
  try {
    const result = settling()
    let settled = false
    result.catch(() => {}).finally(() => (settled = true))
    for (let withoutTimer = 0; withoutTimer < mostWithoutTimer; ) {
      await untilIdle()
      if (settled) return await result
      if (vi.getTimerCount() === 0) withoutTimer += 1
      else await vi.advanceTimersToNextTimerAsync()
    }
    throw new Error('Nothing is under way, and nothing waits for time to pass.')
  } finally {
    timeouts.mockRestore()
    for (const each of cryptography) each.mockRestore()
    vi.useRealTimers()
  }
}
