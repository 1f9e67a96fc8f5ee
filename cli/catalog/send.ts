import { bytesOf, type Message, maxMessageBytes } from '../../functions/feed/message.ts'
import { progressLine } from '../progress-line.ts'
import { type Line, openCatalogFile } from './file.ts'
import type { Queue } from './queue.ts'

/** A message is applied as a whole, and comes again as a whole. */
const mostLines = 100
const mostBytes = 256 * 1024

/** So many messages are sent at a time. */
const mostMessages = 10

export type SendCounts = { sent: number; tooLarge: number; withoutRevision: number }

/** Sends the changes of a catalog file, many a message, and tells about it on stderr. */
export async function sendFile(queue: Queue, path: string): Promise<SendCounts> {
  const file = await openCatalogFile(path)
  const bar = progressLine(process.stderr)
  const counts = { sent: 0, tooLarge: 0, withoutRevision: 0 }
  const started = performance.now()
  let messages: Message[] = []
  const flush = async () => {
    const isSent = await queue.send(messages)
    if (!isSent.every(Boolean)) {
      throw new Error('The queue did not take all messages. Send the file again: changes may come twice.')
    }
    for (const { body } of messages) counts.sent += body.split('\n').length
    messages = []
    bar.show(counts.sent, counts.sent / ((performance.now() - started) / 1000), file.progress())
  }
  try {
    for await (const lines of messagesOf(file.lines(), (line) => {
      counts.tooLarge += 1
      bar.interrupt([`line ${line}: is larger than a message, ${maxMessageBytes} bytes; import the file instead`])
    })) {
      counts.withoutRevision += lines.filter((line) => !/"revision"/.test(line)).length
      messages.push({ body: lines.join('\n') })
      if (messages.length === mostMessages) await flush()
    }
    if (messages.length > 0) await flush()
    return counts
  } finally {
    bar.end()
  }
}

async function* messagesOf(lines: AsyncIterable<Line>, tooLarge: (line: number) => void): AsyncGenerator<string[]> {
  let message: string[] = []
  let bytes = 0
  for await (const { number, bytes: line } of lines) {
    const body = line.toString().trim()
    const more = bytesOf({ body }) + 1
    if (more - 1 > maxMessageBytes) {
      tooLarge(number)
      continue
    }
    if (message.length === mostLines || (message.length > 0 && bytes + more > mostBytes)) {
      yield message
      message = []
      bytes = 0
    }
    message.push(body)
    bytes += more
  }
  if (message.length > 0) yield message
}
