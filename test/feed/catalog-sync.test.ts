import { setTimeout } from 'node:timers/promises'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Message } from '../../functions/catalog-queue/message.ts'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { catalogSync } from '../../functions/operations/lambdas.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { folder, put, revised, workbook } from '../support/catalog.ts'
import { exported, newTables, now, refusing, sentBy } from '../support/database.ts'
import { deliver as deliverTo, heldTime, type Sent } from './deliver.ts'

const { tries } = catalogSync.queue

const storage: Storage = { ...new MemoryTables().storage, pause: setTimeout }
let dead: Message[]
let logged: Record<string, unknown>[]

beforeEach(() => {
  ;[dead, logged] = [[], []]
})

const partsOver = (over: Storage): Parameters<typeof sync.create>[0] => ({
  storage: over,
  now: () => now,
  issuer: 'https://embed.test',
  log: (entry) => logged.push(entry),
  deadLetters: async (letters) => {
    dead.push(...letters)
    return { isSent: letters.map(() => true) }
  },
})

const instance = (over: Storage) => sync.create(partsOver(over))

/** Gives messages to a new instance. @returns the places of those that come again */
const deliver = (messages: readonly (Sent | string)[], over = storage, remaining?: number) =>
  deliverTo(instance(over), messages, remaining)

const first = (change: object) => JSON.stringify(revised(1, change))

const there = async (text: string) =>
  (await exported(storage)).filter((line) => line.includes(text))

const away = Object.assign(new Error('away'), { name: 'TimeoutError' })

describe('a message', () => {
  test.each([
    ['one change', (changes: object[]) => changes.map((change) => JSON.stringify(change))],
    [
      'a line each',
      (changes: object[]) => [
        `${changes.map((change) => JSON.stringify(change)).join('\r\n')}\n \r\n`,
      ],
    ],
    ['a list', (changes: object[]) => [JSON.stringify(changes, null, 2)]],
    ['a file with a byte order mark', (changes: object[]) => [`\ufeff${JSON.stringify(changes)}`]],
    ['the detail of an event', (changes: object[]) => [JSON.stringify({ changes })]],
  ])('may be %s', async (name, messages) => {
    // Without a revision each is newer than what the row before it has written.
    const changes = [1, 2, 3].map((id) => folder(10, id, null, `${name} ${id}`))
    expect(await deliver(messages(changes))).toEqual([])
    expect(await there(`"name":"${name} `)).toHaveLength(3)
    expect(dead).toEqual([])
  })

  test.each([
    ['{"detail":{"id":1}}'],
    ['{"detail-type":"catalog-change"}'],
    ['{"changes":{"id":1}}'],
    ['{"detail-type":"catalog-change","detail":null}', 'null'],
    ['{"detail-type":"catalog-change","detail":"changes"}', '"changes"'],
  ])('that has no change is one of no kind: %s', async (message, refused = message) => {
    expect(await deliver([message])).toEqual([])
    expect(dead.map(({ body }) => body)).toEqual([refused])
  })
})

test.each([
  ['a list', 'changes', (changes: object[]) => JSON.stringify(changes)],
  ['an object', 'changes', (changes: object[]) => JSON.stringify({ changes })],
  ['text', 'lines', (all: object[]) => all.map((each) => JSON.stringify(each)).join('\n')],
])(
  '%s of 10,001 changes is one dead letter, of 10,000 one for each',
  async (form, what, bodyOf) => {
    const changes = Array.from({ length: 10_001 }, () => ({ kind: 'nothing' }))
    const body = bodyOf(changes)
    const neighbour = folder(31, 1, null, form)
    expect(await deliver([body, JSON.stringify(neighbour)])).toEqual([])
    const reason = expect.stringContaining(`has more than 10000 ${what}`)
    expect(dead).toEqual([{ body, reason }])
    expect(await there(`"name":"${form}"`)).toHaveLength(1)
    dead = []
    expect(await deliver([bodyOf(changes.slice(1))])).toEqual([])
    expect(dead).toHaveLength(10_000)
  },
)

describe('a change that is refused', () => {
  test.each([
    ['changes', { changes: [folder(23, 2, null)] }],
    ['changes, an empty list', { changes: [] }],
    ['detail-type and detail', { 'detail-type': 'catalog-change', detail: folder(23, 2, null) }],
  ])('with %s beside its kind is a dead letter, and no envelope', async (_, more) => {
    const change = JSON.stringify({ ...folder(23, 1, null), ...more })
    const reason = Object.keys(more).map((field) => `/${field} is not a known field`)
    for (const body of [
      change,
      `[${change}]`,
      `{"detail-type":"catalog-change","detail":${change}}`,
    ]) {
      dead = []
      expect(await deliver([body])).toEqual([])
      expect(dead).toEqual([{ body: change, reason: expect.stringContaining(reason[0] as string) }])
    }
    expect(await there('"deploymentId":23,')).toEqual([])
  })

  test('is a dead letter at once, with its reason, and stops none of its neighbours', async () => {
    const wrong = put('folder', { deploymentId: 13, id: 'x', name: 7, parentId: null })
    const body = [
      first(folder(13, 1, null)),
      JSON.stringify(wrong),
      'no json',
      first(folder(13, 2, null)),
    ]
    expect(await deliver([body.join('\n'), first(folder(13, 3, null))])).toEqual([])
    expect(await there('"deploymentId":13,')).toHaveLength(3)
    expect(dead).toEqual([
      {
        body: JSON.stringify(wrong),
        reason: '/data/id must be an integer; /data/name must be a string',
      },
      { body: 'no json', reason: 'is not JSON, or nests too deep' },
    ])
  })

  test('on a line of its own keeps no other line from being applied', async () => {
    dead = []
    await deliver([`{"kind":\n${JSON.stringify(workbook(1615, 2))}`])
    expect(dead).toEqual([{ body: '{"kind":', reason: 'is not JSON, or nests too deep' }])
    expect(await there('"deploymentId":1615,')).toHaveLength(1)
  })

  test('on many lines, with a mistake, is one dead letter', async () => {
    const whole = JSON.stringify(workbook(14, 1, { meta: { points: [1, 2, {}] } }), null, 2)
    for (const body of [whole.replace(/\}$/, ',}'), `[\n${whole}`, ` \n${whole.slice(1)}`]) {
      dead = []
      expect(await deliver([body])).toEqual([])
      expect(dead).toEqual([{ body, reason: 'is not JSON, or nests too deep' }])
    }
    expect(await there('"deploymentId":14,')).toEqual([])
  })

  test.each([
    ['text that is no JSON', 'x'],
    ['a number', '5'],
    ['a list of lists', '[[[]]]'],
    ['JSON that nests deeper than the stack', '['.repeat(200_000) + ']'.repeat(200_000)],
    [
      'a number with many digits that nests as deep',
      '{"kind":"workbook","data":{"meta":' +
        `${'['.repeat(200_000)}9007199254740993${']'.repeat(200_000)}}}`,
    ],
    [
      'events within events, deeper than the stack',
      `${'{"detail-type":"","detail":'.repeat(35_000)}5${'}'.repeat(35_000)}`,
    ],
    ['a name with U+FFFF', JSON.stringify({ kind: '\uffff' })],
    ['a field named with a control character', '{"kind":"folder","data":{},"\\u0007":1}'],
  ])('may be %s, which SQS takes as a dead letter', async (_, body) => {
    expect(await deliver([body, first(folder(15, 1, null))])).toEqual([])
    expect(dead).toHaveLength(1)
    for (const text of Object.values(dead[0] as Message))
      expect([...text].filter(isRefusedBySqs)).toEqual([])
  })

  test('keeps letters that SQS does not take, as far as a dead letter can', async () => {
    for (const long of ['😀'.repeat(600), `x${'😀'.repeat(600)}`]) {
      dead = []
      expect(await deliver([JSON.stringify({ kind: '\uffff', [`\u0007${long}`]: 1 })])).toEqual([])
      const [{ body, reason = '' }] = dead as [Message]
      expect(body).toMatch(/^{"kind":"\\uffff"/)
      expect([reason.length, reason.isWellFormed(), reason.includes('/\ufffd')]).toEqual([
        1000,
        true,
        true,
      ])
    }
  })
})

describe('a change that fails', () => {
  test('comes again with its message, and with no other', async () => {
    const over = failingAt('16#folder#2', away)
    const messages = [1, 2, 3].map((id) => first(folder(16, id, null)))
    expect(await deliver(messages, over)).toEqual([1])
    expect(await there('"deploymentId":16,')).toHaveLength(2)
    expect(await deliver([messages[1] as string])).toEqual([])
    expect(await there('"deploymentId":16,')).toHaveLength(3)
    expect(dead).toEqual([])
  })

  test('is a dead letter with its reason at the last try, alone', async () => {
    const over = failingAt('17#folder#2', away)
    const lines = [1, 2].map((id) => first(folder(17, id, null)))
    const body = `${lines.join('\n')}\n{"kind":"nothing"}`
    expect(await deliver([{ body, tries: tries - 1 }], over)).toEqual([0])
    expect(dead).toEqual([])
    expect(await deliver([{ body, tries }], over)).toEqual([])
    expect(dead.map(({ body, reason }) => [body, reason])).toEqual([
      [lines[1], 'failed: TimeoutError: away'],
      ['{"kind":"nothing"}', expect.stringContaining('/kind must be one of')],
    ])
  })

  test('has its reason in the log at once, once for a batch', async () => {
    const denied = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' })
    const messages = [1, 2].map((id) => first(folder(26, id, null)))
    await deliver(messages, failingAt('26#folder', denied))
    expect(logged.filter(({ level }) => level === 'error')).toEqual([
      {
        ...{ level: 'error', requestId: 'call', stack: denied.stack },
        message: 'AccessDeniedException: not authorized',
      },
    ])
  })

  test('is every one that the time of the function was not enough for', async () => {
    const { limits, end } = heldTime()
    const silent = sentBy(storage, () => {
      end()
      return new Promise(() => {})
    })
    const body = [1, 2].map((id) => first(folder(18, id, null))).join('\n')
    // The five seconds before the end are for the answer.
    expect(await deliver([body], silent, 5001)).toEqual([0])
    expect(limits).toEqual([1])
    expect(await there('"deploymentId":18,')).toEqual([])
  })

  test('because the database throttles says so in its dead letter and in the log', async () => {
    const throttling = Object.assign(new Error('too many'), { name: 'ThrottlingException' })
    const { end } = heldTime()
    const pause = (milliseconds: number) => {
      end()
      return setTimeout(milliseconds)
    }
    const throttled = { ...sentBy(storage, () => Promise.reject(throttling)), pause }
    const body = first(folder(26, 1, null))
    expect(await deliver([{ body, tries }], throttled)).toEqual([])
    expect(dead).toEqual([{ body, reason: 'failed: ThrottlingException: too many' }])
    const message = 'ThrottlingException: too many'
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', message }))
  })

  test('because the database throttles does not hold up the next call', async () => {
    const lines = [1, 2, 3].map((id) => first(folder(25, id, null)))
    const { end } = heldTime()
    const pause = Promise.withResolvers<void>()
    const { storage: throttled } = refusing(storage, () => true)
    let over: Storage = throttled
    let pauses = 0
    const handler = instance({
      ...sentBy(storage, (command) => over.client.send(command as never)),
      pause: () => {
        pauses += 1
        end()
        return pause.promise
      },
    })
    expect(await deliverTo(handler, [lines.join('\n')])).toEqual([0])
    over = storage
    pause.resolve()
    expect(await deliverTo(handler, [lines[0] as string])).toEqual([])
    // One of the first call, which had begun, and one of the second.
    expect(pauses).toBe(2)
  })
})

describe('the log', () => {
  const metrics = (name: string) => logged.filter((entry) => name in entry)

  test('counts changes by kind and outcome, as metrics of CloudWatch', async () => {
    await deliver([first(folder(19, 1, null)), first(folder(19, 2, null)), first(workbook(19, 1))])
    logged = []
    const body = [
      ...[folder(19, 1, null), folder(19, 2, null), workbook(19, 2)].map(first),
      '{"kind":"folder"}',
      '{"kind":"__proto__"}',
      '{"kind":["folder"]}',
      'no json',
    ]
    await deliver(body)
    expect(
      metrics('changes').map(({ kind, outcome, changes }) => [kind, outcome, changes]),
    ).toEqual([
      ['folder', 'skipped', 2],
      ['workbook', 'applied', 1],
      ['folder', 'refused', 1],
      ['unknown', 'refused', 3],
    ])
    const metric = (name: string, ...dimensions: string[]) => ({
      Namespace: 'EmbedAccess',
      Dimensions: [['issuer', ...dimensions]],
      Metrics: [{ Name: name, Unit: 'Count' }],
    })
    expect(metrics('fieldsLeftOut')).toEqual([])
    for (const { level, issuer, _aws, requestId, outcome, changes, changesRefused } of metrics(
      'changes',
    )) {
      const isRefused = outcome === 'refused'
      expect({ level, issuer, requestId }).toEqual({
        level: 'info',
        issuer: 'https://embed.test',
        requestId: 'call',
      })
      expect(_aws).toEqual({
        Timestamp: now,
        CloudWatchMetrics: [
          metric('changes', 'kind', 'outcome'),
          ...(isRefused ? [metric('changesRefused')] : []),
        ],
      })
      expect(changesRefused).toBe(isRefused ? changes : undefined)
    }
  })

  test('says how long after it was sent each change was applied', async () => {
    const sentAt = new Date(now - 7000).toISOString().replaceAll(/[-:]/g, '')
    const later = new Date(now + 7000).toISOString()
    await deliver([
      { body: first({ ...folder(20, 1, null), sentAt }), queuedAt: now - 1000 },
      { body: first(folder(20, 2, null)), queuedAt: now - 2000 },
      { body: first({ ...folder(20, 3, null), sentAt: later }) },
      first(folder(20, 1, null)),
    ])
    expect(metrics('lag').map(({ lag }) => lag)).toEqual([[7000, 2000, 0]])
  })

  test('has at most a hundred values in a line, as CloudWatch takes them', async () => {
    const folders = Array.from({ length: 150 }, (_, id) => folder(24, id, null))
    await deliver([folders.map(first).join('\n')])
    expect(metrics('lag').map(({ lag }) => (lag as number[]).length)).toEqual([100, 50])
    const shades = (id: number) =>
      Object.fromEntries(folders.slice(75).map((_, index) => [`shade ${id} ${index}`, 1]))
    await deliver([1, 2].map((id) => first(workbook(24, id, shades(id)))))
    const [entry] = metrics('fieldsLeftOut')
    expect(entry).toMatchObject({ fieldsLeftOut: 150, fields: { length: 100 } })
  })

  test('has a line for the call: what came, what became of it, and what it took', async () => {
    const handler = instance(await newTables())
    await deliverTo(handler, [first(folder(22, 1, null)), first(folder(22, 2, null))])
    await deliverTo(handler, [
      [first(folder(22, 1, null)), first(folder(22, 3, null)), 'no json'].join('\n'),
      '[]',
    ])
    const [one, two] = metrics('invocation')
    expect(one).toMatchObject({
      records: 2,
      applied: 2,
      skipped: 0,
      refused: 0,
      failed: 0,
      coldStarts: 1,
    })
    expect(one).toMatchObject({ calls: 2, units: 2 })
    expect(two).toEqual({
      level: 'info',
      requestId: 'call',
      time: new Date(now).toISOString(),
      issuer: 'https://embed.test',
      ...{ invocation: 'catalogSync', records: 2, applied: 1, skipped: 1, refused: 1, failed: 0 },
      ...{ durationMs: 0, calls: 2, units: 1, _aws: expect.any(Object) },
    })
  })

  test('has a line that says so if the call fails after its changes', async () => {
    const failing = { ...partsOver(storage), deadLetters: () => Promise.reject(away) }
    await expect(deliverTo(sync.create(failing), ['no json'])).rejects.toBe(away)
    expect(metrics('invocation')).toMatchObject([{ refused: 1, failed: true }])
  })

  test('has no line that Lambda would cut, however long the names of fields are', async () => {
    const long = (id: number) => ({ [`${id}`.repeat(200_000)]: 1, ['💚'.repeat(300)]: 1 })
    await deliver([1, 2, 3].map((id) => first(workbook(25, id, long(id)))))
    const { fieldsLeftOut, fields } = Object(metrics('fieldsLeftOut')[0])
    expect([fieldsLeftOut, fields.join(' ').isWellFormed()]).toEqual([6, true])
    const bytes = logged.map((entry) => Buffer.byteLength(JSON.stringify(entry)))
    expect(Math.max(...bytes)).toBeLessThan(256 * 1024)
  })

  test('names fields that were left out, and the nearest known ones', async () => {
    await deliver([
      first(workbook(21, 1, { shade: 'dark' })),
      first(workbook(21, 2, { shade: 'dark', folderID: 7 })),
    ])
    const [entry] = metrics('fieldsLeftOut')
    expect(entry).toMatchObject({
      level: 'warn',
      fieldsLeftOut: 3,
      fields: [
        'workbook /data/shade is not a known field',
        'workbook /data/folderID is not a known field; the nearest one is folderId',
      ],
    })
    expect(await there('"deploymentId":21,')).toHaveLength(2)
    expect(await there('shade')).toEqual([])
  })
})

/**
 * The same tables, where every write of a key that begins so is refused as the database refuses
 * what it can't do now.
 */
function failingAt(prefix: string, error: Error): Storage {
  return sentBy(storage, (command, on) => {
    const { Item } = (command as { input: { Item?: { pk: string } } }).input
    return Item?.pk.startsWith(prefix) ? Promise.reject(error) : on(command)
  })
}

function isRefusedBySqs(letter: string): boolean {
  return letter.isWellFormed()
    ? /[\p{Cc}\ufffe\uffff]/u.test(letter) && !'\t\n\r'.includes(letter)
    : true
}
