import { readFile } from 'node:fs/promises'
import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { applyingTo, importCatalog } from '../../cli/catalog/import.ts'
import { DatabaseGone, retryingStorage, Slowness } from '../../cli/catalog/retrying-storage.ts'
import { Database } from '../simulation/database.ts'
import { Random } from '../simulation/random.ts'
import { put } from '../support/catalog.ts'
import { exported, newTables, refusing, sentBy } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { faults } from './faults.ts'
import { faultyDatabase } from './faulty-database.ts'

/** Faults that pass. What is done a second time a second later is for the simulation, which has every order. */
const passing = Object.values(faults).filter(({ effect }) => effect !== 'ours')

const directory = temporaryDirectory()

const sorted = async (storage: Storage) => (await exported(storage)).toSorted()

afterEach(() => vi.restoreAllMocks())

test('An import of which one request in five fails gives what a clean one gives', async () => {
  const lines = (await readFile('local/demo/catalog.ndjson', 'utf8')).trim().split('\n').slice(0, 150)
  const changes = lines.map((line, number) => ({ number, change: JSON.parse(line) }))
  const importInto = async (storage: Storage) =>
    (await applyingTo(storage)(changes)).map(({ outcome }) => (outcome === 'skipped' ? 'applied' : outcome))
  const tables = tablesWithPrefix('imports')
  const [clean, faulty] = [faultyDatabase(new Database(tables)), faultyDatabase(new Database(tables))]
  const expected = await importInto(clean.storage)

  const random = new Random(7)
  const fault = () => (random.chance(0.2) ? random.pick(passing) : undefined)
  const retrying = retryingStorage(faulty.storage, { now: () => performance.now() })
  const { result, struck } = await faulty.under({ fault }, () => importInto(retrying))
  expect(struck).toBeGreaterThan(10)
  expect([result, new Set(result)]).toEqual([expected, new Set(['applied'])])
  expect(await sorted(faulty.storage)).toEqual(await sorted(clean.storage))
})

test('An import shows how far it is while the database throttles its batch', async () => {
  const storage = await newTables()
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
  const counts = await importCatalog(applyingTo(throttling), file, { slowness })

  expect(counts).toMatchObject({ applied: 100, failed: 0 })
  const waiting = /^0 lines; the database throttles: (\d+) requests done since, \d+ to be sent again\n$/
  const done = shown.flatMap((text) => waiting.exec(text)?.slice(1).map(Number) ?? [])
  expect(done.length).toBeGreaterThan(100)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  expect(shown.at(-1)).toMatch(/^100 lines, /)
})

test('An import looks at what it has skipped, however much the database throttles it', async () => {
  const storage = await newTables()
  const change = (name: string) => [{ number: 1, change: { kind: 'account', revision: 1, data: { id: 'a', name } } }]
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

const minute = 60_000
const refusal = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const get = (id: string) => new GetCommand({ TableName: 'catalog', Key: { pk: id, sk: 'record' } })

/** A retrying storage over a database that the test plays, at a time that passes only in pauses. */
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
  const say = (line: string) => {
    state.said.push(line)
  }
  return { state, client: retryingStorage(storage, { now: () => state.now, say }).client }
}

describe('A retrying storage', () => {
  test('gives up where nothing has answered for a minute, and then sends nothing more', async () => {
    const { state, client } = played(async () => {
      throw refusal()
    })
    const all = await Promise.allSettled(Array.from({ length: 40 }, (_, id) => client.send(get(String(id)))))
    for (const each of all) expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseGone) })
    expect(all[0]).toMatchObject({
      reason: { message: 'The database has answered nothing for a minute (ECONNREFUSED). Nothing more was sent.' },
    })
    expect(state.now).toBeGreaterThanOrEqual(minute)
    const { sent } = state
    await expect(client.send(get('later'))).rejects.toBeInstanceOf(DatabaseGone)
    expect(state.sent).toBe(sent)
  })

  test('gives up one request alone that is not answered, if others are', async () => {
    const { client, state } = played(async (id) => {
      if (id === 'bad') throw refusal()
      return {}
    })
    let over = false
    const bad = client.send(get('bad')).finally(() => {
      over = true
    })
    const others = (async () => {
      while (!over) await client.send(get('good'))
    })()
    await expect(bad).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await others
    expect(state.now).toBeGreaterThanOrEqual(minute)
    expect(await client.send(get('good'))).toEqual({})
  })

  test('counts no time in which nothing was asked, or answers were errors', async () => {
    const answers: (() => object)[] = []
    const { client, state } = played(async () => {
      const answer = answers.shift()
      if (answer) return answer()
      throw refusal()
    })
    const fail = () => {
      throw refusal()
    }
    const wrong = () => {
      throw Object.assign(new Error('no such table'), { name: 'ResourceNotFoundException' })
    }
    answers.push(fail, () => ({}))
    expect(await client.send(get('a'))).toEqual({})
    state.now += 60 * minute
    answers.push(fail, wrong, fail, () => ({}))
    await expect(client.send(get('b'))).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    state.now += 60 * minute
    expect(await client.send(get('c'))).toEqual({})
    const waits = (count: number) =>
      `The database does not answer (ECONNREFUSED). Requests are sent again, for 60 s more: ${count} so far.`
    expect(state.said).toEqual([waits(1), waits(2)])
  })
})
