import { appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { catalogSync } from '../../functions/operations/lambdas.ts'
import { CatalogQueue, catalogChanges, catalogChangesPath } from '../../local/catalog-queue.ts'
import { appBefore, localApp } from '../../local/local-app.ts'
import { commanded } from '../cli/environment.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { folder, put, revised, workbook } from '../support/catalog.ts'
import { exported, now, sentBy } from '../support/database.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'

let storage: Storage
let isAway: boolean
let isStuck: boolean
let pauses: number
let queue: CatalogQueue
let url: string
const directory = temporaryDirectory()

beforeAll(async () => {
  storage = new MemoryTables().storage
})

beforeEach(async () => {
  isAway = false
  isStuck = false
  pauses = 0
  const failing = sentBy(storage, (command, on) => {
    if (isStuck) return new Promise(() => {})
    return isAway
      ? Promise.reject(Object.assign(new Error('away'), { name: 'TimeoutError' }))
      : on(command)
  })
  const pause = async () => {
    pauses += 1
  }
  queue = new CatalogQueue({
    storage: { ...failing, pause },
    now: () => now,
    issuer: 'https://embed.test',
    log: () => {},
  })
  const app = localApp().route(catalogChangesPath, catalogChanges(queue))
  const server = await serving(
    appBefore((_, response) => response.writeHead(404).end('gateway'), app),
  )
  url = server.url + catalogChangesPath
})

const post = (body: string, path = '', headers: Record<string, string> = {}) =>
  fetch(url + path, { method: 'POST', body, headers })

/** Nobody says how long the body is. */
const inPieces = (pieces: readonly string[]) =>
  fetch(url, {
    method: 'POST',
    body: ReadableStream.from(pieces.map((piece) => Buffer.from(piece))),
    duplex: 'half',
  })

const catalogAt =
  (CATALOG_QUEUE_URL: string) =>
  (...args: string[]) =>
    commanded('catalog', args, { env: { CATALOG_QUEUE_URL } })
const catalog = (...args: string[]) => catalogAt(url)(...args)

const first = (change: object) => JSON.stringify(revised(1, change))

const there = async (deploymentId: number) =>
  (await exported(storage)).filter((line) => line.includes(`"deploymentId":${deploymentId},`))
    .length

describe('the local queue', () => {
  test('tries what fails as often as SQS does, and then keeps it with its reason', async () => {
    isAway = true
    const change = first(folder(2, 1, null))
    const response = await post(change)
    expect([response.status, await response.json()]).toEqual([
      202,
      { messageId: expect.any(String) },
    ])
    await queue.idle()
    expect(pauses).toBe(catalogSync.queue.tries - 1)
    expect(await (await fetch(url)).json()).toEqual({
      pending: 0,
      deadLetters: [{ body: change, reason: 'failed: TimeoutError: away' }],
    })
    isAway = false
    expect(await (await post('', '/redrive')).json()).toEqual({ sent: 1 })
    await queue.idle()
    expect(await there(2)).toBe(1)
    expect(await (await fetch(url)).json()).toEqual({ pending: 0, deadLetters: [] })
  })

  test('tries a call that never ends as often, and then keeps its message', async () => {
    onTestFinished(() => void vi.useRealTimers())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    isStuck = true
    const body = first(folder(9, 1, null))
    queue.send(body)
    while (queue.pending > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      vi.advanceTimersByTime(catalogSync.timeout * 1000)
    }
    await queue.idle()
    expect([pauses, queue.deadLetters]).toEqual([catalogSync.queue.tries - 1, [{ body }]])
  })

  test('takes more than a call of Lambda can carry, in several calls', async () => {
    const large = (id: number) =>
      first(put('group', { accountId: 'a3', name: `g${id}`, description: 'x'.repeat(60_000) }))
    const messages = Array.from({ length: 12 }, (_, index) =>
      Array.from({ length: 16 }, (_, line) => large(index * 16 + line)).join('\n'),
    )
    await Promise.all(messages.map((body) => post(body)))
    await queue.idle()
    const groups = (await exported(storage)).filter((line) => line.includes('"accountId":"a3"'))
    expect(groups).toHaveLength(12 * 16)
  })

  test('takes a message in pieces, whose length nobody says', async () => {
    const [beginning, end] = first(folder(8, 1, null)).split('8')
    expect((await inPieces([`${beginning}8`, `${end}`])).status).toBe(202)
    await queue.idle()
    expect(await there(8)).toBe(1)
  })

  test('takes no message that SQS would not take, and nothing from a web page', async () => {
    expect((await post('x'.repeat(1_048_576))).status).toBe(202)
    expect((await post('x'.repeat(1_048_577))).status).toBe(413)
    expect((await post('')).status).toBe(400)
    expect((await fetch(url, { method: 'POST' })).status).toBe(400)
    expect((await inPieces([])).status).toBe(400)
    expect((await inPieces(['x'.repeat(1_048_576), 'x'])).status).toBe(413)
    expect(
      (await post(first(folder(4, 1, null)), '', { origin: 'https://elsewhere.example' })).status,
    ).toBe(403)
    for (const [letter, escaped] of [
      ['\uffff', String.raw`\uffff`],
      ['\u0007', String.raw`\u0007`],
    ]) {
      const refused = await post(`{"kind": "${letter}"}`)
      const message = `SQS refuses this letter. Write it as ${escaped}.`
      expect([refused.status, await refused.json()]).toEqual([400, { message }])
    }
    expect((await post('', '/nowhere')).status).toBe(404)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(404)
    await queue.idle()
    expect(queue.deadLetters).toHaveLength(1)
    expect(await (await fetch(new URL('/', url))).text()).toBe('gateway')
  })
})

describe('npx embed-access catalog', () => {
  test('send sends nothing of a file with a change that is not valid', async () => {
    const lines = [first(folder(7, 1, null)), first(folder(7, -1, null))]
    const file = await fileIn(directory, 'invalid.ndjson', lines)
    const { code, said } = await catalog('send', file)
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(
        /^line 2: .*\nThe file has changes that are not valid\. Nothing was sent\.\n$/,
      ),
    ])
    expect([queue.pending, await there(7)]).toEqual([0, 0])
  })

  test('send sends only the lines that it has checked of a file that grows', async () => {
    const changes = Array.from({ length: 3000 }, (_, id) => first(folder(8, id, null)))
    const file = await fileIn(directory, 'growing.ndjson', [...changes, ''])
    const pushed: string[] = []
    const { url: growing } = await serving(async (request, response) => {
      pushed.push(...(await text(request)).split('\n'))
      appendFileSync(file, `${changes[0]}\n${changes[1]?.slice(0, -9)}`)
      response.end('{}')
    })
    expect(await catalogAt(growing + catalogChangesPath)('send', file)).toMatchObject({
      code: 0,
      printed: 'sent 3000, too large 0\n',
    })
    expect(pushed).toEqual(changes)
  })

  test('dead --delete deletes the dead letters of the local server', async () => {
    await post('{"kind":"folder"}')
    await queue.idle()
    expect(await catalog('dead', '--delete')).toMatchObject({ code: 0, output: 'deleted 1\n' })
    expect(queue.deadLetters).toEqual([])
  })

  test('send fills the queue, dead shows refusals, redrive sends them again', async () => {
    const changes = Array.from({ length: 250 }, (_, id) => first(folder(5, id, null)))
    const lines = [...changes, folder(5, 999, null)]
    expect(await catalog('send', await fileIn(directory, 'changes.ndjson', lines))).toMatchObject({
      code: 0,
      output:
        'sent 251, too large 0\n' +
        '1 without a revision: of two such changes of one thing either may win\n',
    })
    // Another producer may send what is not valid.
    await post('{"kind":"nothing"}')
    await queue.idle()
    expect(await there(5)).toBe(251)

    const dead = await catalog('dead')
    expect(dead.code).toBe(1)
    expect(dead.printed).toMatch(
      /^# \/kind must be one of .*; \/data is required\n\{"kind":"nothing"\}\n$/,
    )
    expect(await catalog('redrive')).toMatchObject({
      code: 0,
      printed: 'dead letters that go back to the queue: 1\n',
    })
    await queue.idle()
    expect(queue.deadLetters).toHaveLength(1)
  })

  test('dead shows more lines than a call of a function may have arguments', async () => {
    const deadLetters = Array.from({ length: 70_000 }, () => ({ body: '{}', reason: 'x' }))
    const { url: full } = await serving((_, response) =>
      response.end(JSON.stringify({ deadLetters })),
    )
    const { code, printed } = await catalogAt(full + catalogChangesPath)('dead')
    expect([code, printed]).toEqual([1, '# x\n{}\n'.repeat(70_000)])
  })

  test('send names lines that are larger than a message, and sends the others', async () => {
    const large = first(workbook(6, 1, { meta: { text: 'x'.repeat(1_048_576) } }))
    const file = await fileIn(directory, 'large.ndjson', [large, first(folder(6, 2, null))])
    const { code, printed } = await catalog('send', file)
    expect(code).toBe(1)
    expect(printed).toBe(
      'line 1: is larger than a message, 1048576 bytes; import the file instead\n' +
        'sent 1, too large 1\n',
    )
    const none = await fileIn(directory, 'none.ndjson', [''])
    expect(await catalog('send', none)).toMatchObject({
      code: 1,
      said: `${none} has no changes.\n`,
    })
    const said = 'Standard input cannot be read twice. Give the path of a file.\n'
    expect(await catalog('send', '-')).toMatchObject({ code: 2, said })
  })

  test('says how to name the queue, and which address refuses a change', async () => {
    const said = async (CATALOG_QUEUE_URL: string) => {
      const env = { CATALOG_QUEUE_URL }
      const { code, said } = await commanded(
        'catalog',
        ['send', 'cli/catalog/example/catalog.ndjson'],
        { env },
      )
      return [code, said]
    }
    const local = 'For npm start it is http://127.0.0.1:8787/_local/catalog-changes.\n'
    const unnamed = `Set CATALOG_QUEUE_URL to the URL of the queue. ${local}`
    expect(await said('')).toEqual([1, unnamed])
    const wrong = `CATALOG_QUEUE_URL is not a URL. ${local}`
    for (const url of ['x', '"https://sqs.example"']) expect(await said(url)).toEqual([1, wrong])
    const nobody = 'http://127.0.0.1:1/_local/catalog-changes'
    const advice = 'Start the service with npm start, or check CATALOG_QUEUE_URL.\n'
    expect(await said(nobody)).toEqual([1, `Nothing answers at ${nobody}. ${advice}`])
    let answer = '{}'
    const service = await serving((_, response) => response.writeHead(404).end(answer))
    const other = `${service.url}/_local/catalog-changes`
    expect(await said(other)).toEqual([1, `${other} answered 404: {}\n`])
    answer = '<html>'
    const page = `What answers at ${other} is no service of npm start. Check CATALOG_QUEUE_URL.\n`
    expect(await said(other)).toEqual([1, page])
  })
})
