import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import {
  bytesOf,
  forQueue,
  type Message,
  maxMessageBytes,
} from '../../functions/catalog-queue/message.ts'
import { quietOption, verb } from '../command.ts'
import { progressLine } from '../progress-line.ts'
import { linesTo, messageOf, type Output, type Terminal } from '../terminal.ts'
import { type Line, openCatalogFile, requireFile } from './file.ts'
import { checking, importFile } from './importing.ts'
import { type Queue, queueFrom } from './queue.ts'

export const send = (terminal: Terminal) =>
  verb(
    'send',
    'Sends the catalog changes of a file to the queue of a deployed stage, or of the local server.',
    {
      examples: ['npx embed-access catalog send changes.ndjson'],
      one: 'a line is too large and was left out, or one is not valid: then nothing is sent',
    },
  )
    .argument('<file>', 'the changes')
    .addOption(quietOption)
    .action(async (file, { quiet }) => {
      await requireFile(file)
      terminal.interrupted = () => again
      const queue = queueFrom(terminal.env)
      const valid = await requireValid(file, terminal.err)
      const bar = progressLine(terminal.err, quiet)
      const { sent, tooLarge, withoutRevision } = await sendFile(queue, file, valid, bar)
      if (tooLarge > 0) terminal.exitCode = 1
      const print = linesTo(terminal.out)
      print(`sent ${sent}, too large ${tooLarge}`)
      const meaning = 'of two such changes of one thing either may win'
      if (withoutRevision > 0) print(`${withoutRevision} without a revision: ${meaning}`)
    })

/** The most of a message, which is applied, and comes again, as a whole. */
const most = { items: 100, bytes: 256 * 1024 }

const mostMessages = 10

const again = 'Send the file again: changes may come twice.'

/** A change that is not valid would become a dead letter. @returns how many there are */
async function requireValid(path: string, err: Output): Promise<number> {
  const { applied, refused } = await importFile(checking, path, { err, isQuiet: true })
  if (refused > 0) throw new Error('The file has changes that are not valid. Nothing was sent.')
  return applied
}

/** @param checked how many changes of the file were checked. Later changes are not sent */
async function sendFile(
  queue: Queue,
  path: string,
  checked: number,
  bar: ReturnType<typeof progressLine>,
) {
  const file = await openCatalogFile(path)
  const counts = { sent: 0, tooLarge: 0, withoutRevision: 0 }
  let messages: Message[] = []
  const flush = async () => {
    const { isSent, error } = await queue.send(messages)
    const isBegun = counts.sent > 0 || isSent.some(Boolean)
    if (error !== undefined)
      throw isBegun ? new Error(`${messageOf(error)}\n${again}`, { cause: error }) : error
    if (!isSent.every(Boolean)) throw new Error(`The queue did not take all messages. ${again}`)
    for (const { body } of messages) counts.sent += body.split('\n').length
    messages = []
    bar.show(counts.sent, file.progress())
  }
  try {
    const lines = sendable(file.lines(), checked, (line) => {
      counts.tooLarge += 1
      bar.interrupt(
        `line ${line}: is larger than a message, ${maxMessageBytes} bytes; import the file instead`,
      )
    })
    for await (const batch of batchesOf(lines, (line) => bytesOf(line) + 1, most)) {
      counts.withoutRevision += batch.filter(({ hasRevision }) => !hasRevision).length
      messages.push({ body: batch.map(({ body }) => body).join('\n') })
      if (messages.length === mostMessages) await flush()
    }
    if (messages.length > 0) await flush()
    if (counts.sent + counts.tooLarge === 0) throw new Error(`${path} has no changes.`)
    return counts
  } finally {
    bar.end()
  }
}

/** Gives those of the first `count` lines that a message can hold, without space around them. */
async function* sendable(
  lines: AsyncIterable<Line>,
  count: number,
  tooLarge: (line: number) => void,
): AsyncGenerator<{ body: string; hasRevision: boolean }> {
  let taken = 0
  for await (const { number, bytes, change } of lines) {
    if (taken === count) return
    taken += 1
    const body = bytes && forQueue(bytes.toString().trim())
    if (body === undefined || bytesOf({ body }) > maxMessageBytes) tooLarge(number)
    else yield { body, hasRevision: (change as { revision?: unknown }).revision != null }
  }
}
