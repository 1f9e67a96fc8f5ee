import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { applyingTo, importFile } from '../../cli/catalog/importing.ts'
import { DatabaseGone, retryingStorage, Slowness } from '../../cli/catalog/retrying-storage.ts'
import { Database } from '../simulation/database.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { Random } from '../simulation/random.ts'
import { demoChanges, put } from '../support/catalog.ts'
import { exported, refusing, sentBy } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { faults } from './faults.ts'
import { faultyDatabase } from './faulty-database.ts'

/**
 * Faults that pass. What is done a second time a second later is for the simulation, which has
 * every order.
 */
const passing = Object.values(faults).filter(({ effect }) => effect !== 'ours')

const directory = temporaryDirectory()

afterEach(() => vi.restoreAllMocks())

test('An import of which one request in five fails gives what a clean one gives', async () => {
  const changes = Array.from(demoChanges().slice(0, 150), (change, number) => ({ number, change }))
  // An embed tenant keeps when it was named first.
  const now = Date.now()
  const importInto = async (storage: Storage) =>
    (await applyingTo(storage, () => now)(changes)).map(({ outcome }) =>
      outcome === 'skipped' ? 'applied' : outcome,
    )
  const tables = tablesWithPrefix('imports')
  const [clean, faulty] = [
    faultyDatabase(new Database(tables)),
    faultyDatabase(new Database(tables)),
  ]
  const expected = await importInto(clean.storage)

  const random = new Random(7)
  const fault = () => (random.chance(0.2) ? random.pick(passing) : undefined)
  const retrying = retryingStorage(faulty.storage, { now: () => performance.now() })
  const { result, struck } = await faulty.under({ fault }, () => importInto(retrying))
  expect(struck.length).toBeGreaterThan(10)
  expect([result, new Set(result)]).toEqual([expected, new Set(['applied'])])
  expect((await exported(faulty.storage)).sort()).toEqual((await exported(clean.storage)).sort())
})

test('An import shows how far it is while the database throttles its batch', async () => {
  const storage = new MemoryTables().storage
  const change = (_: unknown, id: number) => put('account', { id: `a${id}`, name: 'A' })
  const file = await fileIn(directory, 'changes.ndjson', Array.from({ length: 100 }, change))
  const shown: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0)
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    seconds += 1
    return seconds * 1000
  })

  let requests = 0
  const { storage: slow } = refusing(storage, () => ++requests % 3 === 0)
  const slowness = new Slowness()
  const throttling = retryingStorage(slow, { now: () => 0, slowness })
  const counts = await importFile(applyingTo(throttling), file, { slowness })

  expect(counts).toMatchObject({ applied: 100, failed: 0 })
  const waiting =
    /^0 lines; the database throttles: (\d+) requests done since, \d+ to be sent again\n$/
  const done = shown.flatMap((text) => waiting.exec(text)?.slice(1).map(Number) ?? [])
  expect(done.length).toBeGreaterThan(100)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(shown.at(-1)).toMatch(/^100 lines, /)
})

test('An import looks at what it has skipped, however much the database throttles it', async () => {
  const storage = new MemoryTables().storage
  const change = (name: string) => [
    { number: 1, change: { kind: 'account', revision: 1, data: { id: 'a', name } } },
  ]
  await applyingTo(storage)(change('A'))
  let asked = 0
  const incomplete = sentBy(storage, async (command, on) =>
    command instanceof BatchGetCommand && ++asked < 20
      ? { Responses: {}, UnprocessedKeys: command.input.RequestItems }
      : on(command),
  )
  let throttlings = 0
  const isRead = (command: object) => command instanceof BatchGetCommand && ++throttlings % 2 === 0
  const { storage: throttling } = refusing(incomplete, isRead)
  const [result] = await applyingTo(retryingStorage(throttling, { now: () => 0 }))(change('B'))
  expect([result, asked]).toEqual([{ outcome: 'skipped', differs: 'account "a"' }, 20])
})

test('An import ends if it may not look at what it has skipped', async () => {
  const storage = new MemoryTables().storage
  const change = { kind: 'account', revision: 1, data: { id: 'a', name: 'A' } }
  const lines = [{ number: 1, change }]
  await applyingTo(storage)(lines)
  const denied = Object.assign(new Error('denied'), { name: 'AccessDeniedException' })
  const closed = sentBy(storage, async (command, on) => {
    if (command instanceof BatchGetCommand) throw denied
    return on(command)
  })
  await expect(applyingTo(closed)(lines)).rejects.toThrow(denied)
})

describe('A retrying storage', () => {
  const minute = 60_000

  test('gives up after a minute without an answer, and sends nothing more', async () => {
    const { state, send } = played(unreachable)
    const all = await Promise.allSettled(Array.from({ length: 40 }, (_, id) => send(String(id))))
    for (const each of all)
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseGone) })
    expect(all[0]).toMatchObject({
      reason: {
        message:
          'The database has answered nothing for a minute (ECONNREFUSED). Nothing more was sent.',
      },
    })
    expect(state.now).toBeGreaterThanOrEqual(minute)
    const { sent } = state
    await expect(send('later')).rejects.toBeInstanceOf(DatabaseGone)
    expect(state.sent).toBe(sent)
  })

  test('gives up one request alone that is not answered, if others are', async () => {
    const { send, state } = played(async (id) => (id === 'bad' ? unreachable() : {}))
    let over = false
    const bad = send('bad').finally(() => {
      over = true
    })
    const others = (async () => {
      while (!over) await send('good')
    })()
    await expect(bad).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await others
    expect(state.now).toBeGreaterThanOrEqual(minute)
    expect(await send('good')).toEqual({})
  })

  test('counts no time in which nothing was asked, or answers were errors', async () => {
    const answers: (() => Promise<object>)[] = []
    const { send, state } = played(() => (answers.shift() ?? unreachable)())
    const found = async () => ({})
    const wrong = async () => {
      throw Object.assign(new Error('no such table'), { name: 'ResourceNotFoundException' })
    }
    answers.push(unreachable, found)
    expect(await send('a')).toEqual({})
    state.now += 60 * minute
    answers.push(unreachable, wrong, unreachable, found)
    await expect(send('b')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    state.now += 60 * minute
    expect(await send('c')).toEqual({})
    const waits = (count: number) =>
      'The database does not answer (ECONNREFUSED). Requests are sent again, for 60 s ' +
      `more: ${count} so far.`
    expect(state.said).toEqual([waits(1), waits(2)])
  })

  async function unreachable(): Promise<never> {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }

  /**
   * A retrying storage over a database that the test plays, at a time that passes only in pauses.
   */
  function played(answer: (id: string) => Promise<object>) {
    const state = { now: 0, sent: 0, said: [] as string[] }
    const client = {
      send({ input }: GetCommand) {
        state.sent += 1
        return answer(input.Key?.pk)
      },
    } as unknown as Storage['client']
    const pause = async (milliseconds: number) => {
      state.now += milliseconds
    }
    const storage = { client, tables: tablesWithPrefix('played'), pause }
    const retrying = retryingStorage(storage, {
      now: () => state.now,
      say: (line) => state.said.push(line),
    })
    const send = (pk: string) =>
      retrying.client.send(new GetCommand({ TableName: 'catalog', Key: { pk } }))
    return { state, send }
  }
})
