import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { briefly } from '@embed-access/core/storage/client.ts'
import { sendingThrough, untilAborted } from '@embed-access/core/storage/sending-through.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { passTime } from './passing-time.ts'

/** How many virtual milliseconds some calls take. */
const timeOf = (act: () => Promise<unknown>): Promise<number> =>
  passTime(async () => {
    const start = performance.now()
    await act()
    return performance.now() - start
  })

test('An aborted storage makes no call, and gives no answer to the one under way', async () => {
  const end = new AbortController()
  let calls = 0
  const { storage } = new MemoryTables()
  const aborting = sendingThrough(storage, async () => {
    calls += 1
    end.abort(new Error('over'))
    return {}
  })
  const { client } = untilAborted(aborting, end.signal)
  for (const _ of [1, 2]) {
    const get = new GetCommand({ TableName: 'catalog', Key: { pk: 'a', sk: 'b' } })
    await expect(client.send(get)).rejects.toThrow('over')
  }
  expect(calls).toBe(1)
})

describe('a database that never answers', () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    socket.resume()
  })
  let storage: ReturnType<typeof connect>

  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    storage = connect(
      tablesWithPrefix('silent'),
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    )
  })

  afterEach(async () => {
    storage.client.destroy()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const get = (from = storage, abortSignal?: AbortSignal) =>
    from.client.send(new GetCommand({ TableName: 'catalog', Key: { pk: 'a', sk: 'b' } }), {
      ...(abortSignal && { abortSignal }),
    })

  test('fails every call as unavailable, within six seconds', async () => {
    let error: unknown
    expect(await timeOf(() => get().catch((thrown) => (error = thrown)))).toBeLessThan(6000)
    expect(isDatabaseUnavailable(error)).toBe(true)
  })

  test('is waited for no longer than 250 ms by what a request can do without', async () => {
    const wait = () => get(storage, briefly().abortSignal).catch(() => undefined)
    expect(await timeOf(wait)).toBe(250)
  })

  test('is asked again after half to all of a pause, at random', async () => {
    for (const [random, milliseconds] of [
      [0, 500],
      [0.5, 750],
    ] as const) {
      vi.spyOn(Math, 'random').mockReturnValueOnce(random)
      expect(await timeOf(() => storage.pause(1000))).toBe(milliseconds)
    }
  })

  test('holds no connection once the calls have failed, so that others find one free', async () => {
    const calls = () => Promise.allSettled(Array.from({ length: 60 }, () => get()))
    expect(await timeOf(calls)).toBeLessThan(6000)
    await expect.poll(() => sockets.size).toBe(0)
  })

  test.each(['storage', 'call'] as const)(
    'is asked nothing more once the signal of the %s has ended its calls',
    async (which) => {
      const signals = { storage: new AbortController(), call: new AbortController() }
      const within = untilAborted(storage, signals.storage.signal)
      const ended = async () => {
        const call = get(within, signals.call.signal)
        signals[which].abort()
        await expect(call).rejects.toThrow()
      }
      expect(await timeOf(ended)).toBe(0)
      await expect(get(within, signals.call.signal)).rejects.toThrow()
      await expect.poll(() => sockets.size).toBe(0)
    },
  )
})
