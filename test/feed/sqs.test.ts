import { ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { maxMessageBytes } from '../../functions/catalog-queue/message.ts'
import { deadLetters, sendTo, sqsClient } from '../../functions/catalog-queue/sqs.ts'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { commanded, stubAws } from '../cli/environment.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { folder, revised, workbook } from '../support/catalog.ts'
import { now } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { deliver as deliverTo, heldTime } from './deliver.ts'
import { type Sqs, startSqs } from './sqs.ts'

let sqs: Sqs
let storage: Storage
const directory = temporaryDirectory()
beforeAll(async () => {
  sqs = await startSqs()
  stubAws(new URL(sqs.url('')).origin, 'SQS')
  storage = new MemoryTables().storage
  return async () => {
    vi.unstubAllEnvs()
    await sqs.end()
  }
})
beforeEach(() => sqs.reset())

async function send(bodies: readonly string[], reason?: string): Promise<readonly boolean[]> {
  const messages = bodies.map((body) => ({ body, ...(reason !== undefined && { reason }) }))
  const { isSent, error } = await sendTo(sqsClient(), sqs.url('changes'))(messages)
  expect(error).toBeUndefined()
  return isSent
}

const catalog = (...args: string[]) =>
  commanded('catalog', args, { env: { CATALOG_QUEUE_URL: sqs.url('changes') } })

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `message ${index}`)

describe('sending to SQS', () => {
  const half = maxMessageBytes / 2
  const reasonBytes = 'reasonString'.length + 'é'.length * 2
  const large = 'é'.repeat((half - reasonBytes) / 2)

  test.each([
    ['ten messages', numbered(25), undefined, [10, 10, 5]],
    ['at most 1 MiB, to the byte', ['x'.repeat(half), 'y'.repeat(half), 'z'], undefined, [2, 1]],
    ['as much with reasons and letters of several bytes', [large, large], 'é', [2]],
    ['not a byte more with these', [large, `${large}x`], 'é', [1, 1]],
  ])('puts %s in a call', async (_, bodies, reason, calls) => {
    expect(await send(bodies, reason)).toEqual(bodies.map(() => true))
    expect(sqs.calls).toEqual(calls.map((count) => `SendMessageBatch ${count}`))
    expect(sqs.bodies('changes')).toEqual(bodies)
  })

  test('leaves out a message that no call can hold, and tells so', async () => {
    const largest = 'x'.repeat(maxMessageBytes)
    expect(await send(['a', largest, `${largest}x`, 'b'])).toEqual([true, true, false, true])
    expect(sqs.bodies('changes')).toEqual(['a', largest, 'b'])
  })

  test('tells which messages of a batch failed', async () => {
    sqs.failing = (body) => body === 'message 3' || body === 'message 11'
    const isSent = await send(numbered(12))
    expect(isSent.flatMap((sent, index) => (sent ? [] : [index]))).toEqual([3, 11])
    expect(sqs.bodies('changes')).toHaveLength(10)
    expect(await send(['message 3'])).toEqual([false])
  })

  test('tells what was sent before the queue fell silent and time was over', async () => {
    const time = new AbortController()
    sqs.failing = (body) => {
      if (body === 'message 9') sqs.unanswered = () => time.abort()
      return false
    }
    const messages = numbered(35).map((body) => ({ body }))
    const sent = await sendTo(sqsClient(), sqs.url('changes'))(messages, time.signal)
    expect(sent).toEqual({ isSent: messages.map((_, index) => index < 10) })
  })

  test('makes a throttled call again', async () => {
    sqs.refuse('RequestThrottled', 1)
    expect(await send(['a'])).toEqual([true])
    expect(sqs.calls).toEqual(['SendMessageBatch 1', 'SendMessageBatch 1'])
    expect(sqs.bodies('changes')).toEqual(['a'])
  })
})

describe('the dead letters of catalog-sync', () => {
  const fine = JSON.stringify({ ...folder(1, 1, null), revision: 1 })
  const logged: Record<string, unknown>[] = []
  beforeEach(() => {
    logged.length = 0
  })

  const deliver = (...bodies: readonly string[]) => deliverIn(600_000, bodies)
  function deliverIn(remaining: number, bodies: readonly string[]): Promise<number[]> {
    const handler = sync.create({
      storage,
      now: () => now,
      issuer: 'https://embed.test',
      log: (entry) => logged.push(entry),
      deadLetters: deadLetters({ DEAD_LETTERS_URL: sqs.url('changes-dead') }),
    })
    return deliverTo(handler, bodies, remaining)
  }

  const errors = () => logged.filter(({ level }) => level === 'error')

  test('let their message come again where they fail within a batch', async () => {
    sqs.failing = (body) => body.includes('second')
    expect(await deliver('{"kind":"first"}', '{"kind":"second"}', fine)).toEqual([1])
    expect(sqs.bodies('changes-dead')).toEqual(['{"kind":"first"}'])
    expect(errors()).toHaveLength(1)
    const { printed } = await catalog('dead')
    expect(printed).toMatch(/^# \/kind must be one of .*\n{"kind":"first"}\n$/)
  })

  test('are sent as long as there is time, and else their messages come again', async () => {
    const wrong = ['{"kind":"first"}', '{"kind":"second"}']
    expect((await deliverIn(1000, [...wrong, fine])).sort()).toEqual([0, 1, 2])
    expect(sqs.calls).toEqual([])
    const { limits } = heldTime()
    expect(await deliverIn(1100, wrong)).toEqual([])
    expect(limits).toContain(100)
    expect(sqs.bodies('changes-dead')).toEqual(wrong)
  })

  test('let their messages come again where the queue does not answer in time', async () => {
    sqs.unanswered = () => {}
    expect(await deliverIn(1100, ['{"kind":"first"}'])).toEqual([0])
  })

  test('are sent once, whatever becomes of a later call', async () => {
    const wrong = numbered(25)
    sqs.failing = (body) => {
      if (body === 'message 9') sqs.refuse('RequestThrottled', 3)
      return false
    }
    expect(await deliver(...wrong)).toEqual(wrong.map((_, index) => index).slice(10))
    sqs.failing = () => false
    expect(await deliver(...wrong.slice(10))).toEqual([])
    expect(sqs.bodies('changes-dead')).toEqual(wrong)
  })

  test.each([
    ['without a reason that has no room', 0, undefined],
    ['with as much of the reason as has room', 30, '/kind '],
  ])('are as large as their message may be, %s', async (_, room, reason) => {
    const body = `{"kind":"${'é'.repeat((maxMessageBytes - room) / 2 - 6)}"}`
    expect(await deliver(body)).toEqual([])
    expect(sqs.bodies('changes-dead')).toEqual([body])
    const { printed } = await catalog('dead')
    expect(printed.split('\n')[0]).toBe(`# ${reason ?? 'failed too often, or at once'}`)
  })

  test('need the URL of a queue', () => {
    expect(() => deadLetters({ DEAD_LETTERS_URL: 'changes-dead' })).toThrow(
      'The environment variable DEAD_LETTERS_URL must be a URL.',
    )
  })

  test('let only their own messages come again where the queue takes no call', async () => {
    sqs.refuse('RequestThrottled', 3)
    expect(await deliver(fine, '{"kind":"first"}', '{"kind":"second"}', fine)).toEqual([1, 2])
    expect(sqs.calls).toHaveLength(3)
    expect(sqs.bodies('changes-dead')).toEqual([])
    expect(errors().map(({ message }) => message)).toEqual([
      expect.stringContaining('RequestThrottled'),
      ...Array(2).fill('The queue of dead letters did not take a change.'),
    ])
  })
})

describe('npx embed-access catalog with SQS', () => {
  const fileOf = (count: number) => {
    const changes = Array.from({ length: count }, (_, id) => revised(1, folder(1, id, null)))
    return fileIn(directory, `${count}.ndjson`, changes)
  }

  test('send puts a hundred changes in a message and ten messages in a call', async () => {
    const { code, printed } = await catalog('send', await fileOf(1050))
    expect([code, printed]).toEqual([0, expect.stringContaining('sent 1050, too large 0\n')])
    expect(sqs.calls).toEqual(['SendMessageBatch 10', 'SendMessageBatch 1'])
    expect(sqs.bodies('changes').map((body) => body.split('\n').length)).toEqual([
      ...Array(10).fill(100),
      50,
    ])
  })

  test('send --quiet draws no progress at a terminal', async () => {
    const env = { CATALOG_QUEUE_URL: sqs.url('changes') }
    const args = ['send', await fileOf(1), '--quiet']
    const { printed } = await commanded('catalog', args, { env, typed: '' })
    expect(printed).toBe('sent 1, too large 0\n')
  })

  test('send escapes letters that SQS refuses, and counts own revisions', async () => {
    const odd = workbook(1, 1, { name: 'a\uffffb', meta: { revision: 1 } })
    const lines = [odd, { ...folder(1, 1, null), revision: null }]
    const { printed } = await catalog('send', await fileIn(directory, 'odd.ndjson', lines))
    expect(printed).toContain('sent 2, too large 0\n2 without a revision')
    const [body = ''] = sqs.bodies('changes')
    expect(body).not.toContain('\uffff')
    expect(JSON.parse(body.split('\n')[0] as string)).toEqual(JSON.parse(JSON.stringify(odd)))
  })

  test('send says so where a message of a batch failed', async () => {
    sqs.failing = (body) => body.includes('"id":150,')
    const { code, printed } = await catalog('send', await fileOf(300))
    expect([code, printed]).toEqual([
      1,
      expect.stringContaining(
        'The queue did not take all messages. Send the file again: changes may come twice.\n',
      ),
    ])
    expect(sqs.bodies('changes')).toHaveLength(2)
  })

  test('send says that the file is sent in part where a later call fails', async () => {
    sqs.refuse('AccessDenied', 1, 1)
    const { code, said } = await catalog('send', await fileOf(1050), '--quiet')
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/AccessDenied.*\nSend the file again: changes may come twice\.\n$/),
    ])
    expect(sqs.bodies('changes')).toHaveLength(10)
  })

  test('send says that the file is sent in part where the second of two calls fails', async () => {
    const large = (_: unknown, id: number) => workbook(1, id, { meta: { text: 'x'.repeat(2e5) } })
    sqs.refuse('AccessDenied', 1, 1)
    const file = await fileIn(directory, 'large.ndjson', Array.from({ length: 10 }, large))
    const { said } = await catalog('send', file, '--quiet')
    expect(said).toMatch(/AccessDenied.*\nSend the file again: changes may come twice\.\n$/)
    expect(sqs.bodies('changes')).toHaveLength(5)
  })

  test('dead shows each dead letter below its reason, and redrive moves all back', async () => {
    expect(await catalog('dead')).toMatchObject({ code: 0, printed: 'No change is dead.\n' })
    for (const body of numbered(24)) sqs.put('changes-dead', body, `reason of ${body}`)
    sqs.put('changes-dead', 'moved by SQS')
    const { code, printed } = await catalog('dead')
    expect(code).toBe(1)
    const letters = numbered(24).map((body) => `# reason of ${body}\n"${body}"\n`)
    expect(printed).toBe(`${letters.join('')}# failed too often, or at once\n"moved by SQS"\n`)
    sqs.calls.length = 0
    expect(await catalog('redrive')).toMatchObject({
      code: 0,
      printed: 'dead letters that go back to the queue: 25\n',
    })
    expect(sqs.calls).toEqual(['GetQueueAttributes', 'StartMessageMoveTask'])
    expect([sqs.bodies('changes').length, sqs.bodies('changes-dead')]).toEqual([25, []])
  })

  test('dead shows all of so many letters that it reads them for minutes', async () => {
    for (const body of numbered(1800)) sqs.put('changes-dead', body)
    const { printed } = await catalog('dead')
    expect(printed.match(/^"message/gm)).toHaveLength(1800)
  })

  test('dead and redrive find no letter while another command reads them', async () => {
    sqs.put('changes-dead', 'message')
    // As a command does that is killed before it shows them.
    const QueueUrl = sqs.url('changes-dead')
    await sqsClient().send(new ReceiveMessageCommand({ QueueUrl }))
    const said = 'The dead letters are hidden while another command reads them. Try again later.'
    for (const verb of ['dead', 'redrive'])
      expect(await catalog(verb)).toMatchObject({ code: 1, printed: `${said}\n` })
    expect(sqs.bodies('changes-dead')).toEqual(['message'])
  })

  test('redrive says so where SQS moves nothing, such as while it still moves others', async () => {
    sqs.put('changes-dead', 'message')
    sqs.refuse('UnsupportedOperation', 2)
    const { code, printed } = await catalog('redrive')
    expect([code, printed]).toEqual([1, expect.stringContaining('UnsupportedOperation')])
    expect(sqs.bodies('changes-dead')).toEqual(['message'])
  })
})
