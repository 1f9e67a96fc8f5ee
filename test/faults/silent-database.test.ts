import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** How many virtual milliseconds pass until the promise settles. */
async function passes(settling: Promise<unknown>): Promise<number> {
  const start = performance.now()
  let settled = false
  settling.catch(() => {}).finally(() => (settled = true))
  while (!settled) {
    // Real turns of the loop, in which sockets open and close, and then the next timer.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersToNextTimerAsync()
  }
  return performance.now() - start
}

describe('a database that takes connections and never answers', () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    socket.resume()
  })
  let storage: ReturnType<typeof connect>

  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    storage = connect(tablesWithPrefix('silent'), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })

  afterEach(async () => {
    vi.useRealTimers()
    storage.client.destroy()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const get = (from = storage) => from.client.send(new GetCommand({ TableName: 'catalog', Key: { pk: 'a', sk: 'b' } }))

  test('fails every call as unavailable, within six seconds', async () => {
    const call = get()
    expect(await passes(call)).toBeLessThan(6000)
    const error = await call.catch((error: unknown) => error)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  test('holds no connection once the calls have failed, so that others find one free', async () => {
    const calls = Promise.allSettled(Array.from({ length: 60 }, () => get()))
    expect(await passes(calls)).toBeLessThan(6000)
    await vi.waitUntil(() => sockets.size === 0)
  })

  test('is asked nothing more once the signal has ended its calls', async () => {
    const gaveUp = new AbortController()
    const within = untilAborted(storage, gaveUp.signal)
    const call = get(within)
    gaveUp.abort()
    expect(await passes(call)).toBe(0)
    await expect(call).rejects.toThrow()
    await expect(get(within)).rejects.toThrow()
    await vi.waitUntil(() => sockets.size === 0)
  })
})
