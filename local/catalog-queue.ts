import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda'
import { Hono } from 'hono'
import { type Message, maxMessageBytes } from '../functions/catalog-queue/message.ts'
import { handler as sync } from '../functions/catalog-sync.ts'
import { catalogSync } from '../functions/operations/lambdas.ts'
import { invoke, lambdaPayloadLimit } from './gateway/invoke.ts'
import { noWebPages } from './local-app.ts'
import { permitted } from './permitted.ts'
import type { LocalService } from './service.ts'

type Queued = {
  messageId: string
  body: string
  sentAt: number
  tries: number
}

type Service = Pick<LocalService, 'storage' | 'now' | 'issuer' | 'log'>

/** Failed messages come again after a second, not after minutes as from SQS. */
const pauseMs = 1000

/** Acts as SQS: gives batches of messages to the function, repeats failed ones, keeps dead ones. */
export class CatalogQueue {
  readonly #handler: ReturnType<typeof sync.create>
  readonly #service: Service
  readonly #dead: Message[] = []
  readonly #waiting: Queued[] = []
  /** Messages that the function has, or that failed and will come again. */
  #batch: Queued[] = []
  #work = Promise.resolve()

  constructor(service: Service) {
    this.#service = service
    this.#handler = sync.create({
      ...service,
      storage: permitted(service.storage, catalogSync),
      log: (entry) => service.log(JSON.stringify(entry)),
      deadLetters: async (messages) => {
        this.#dead.push(...messages)
        return { isSent: messages.map(() => true) }
      },
    })
  }

  get deadLetters(): readonly Message[] {
    return this.#dead
  }

  get pending(): number {
    return this.#waiting.length + this.#batch.length
  }

  send(body: string): string {
    const messageId = randomUUID()
    this.#waiting.push({ messageId, body, sentAt: this.#service.now(), tries: 0 })
    this.#work = this.#work.then(() => this.#giveAll())
    return messageId
  }

  /** Sends all dead letters again. @returns how many there were */
  redrive(): number {
    return this.#dead.splice(0).map(({ body }) => this.send(body)).length
  }

  deleteDead(): number {
    return this.#dead.splice(0).length
  }

  idle(): Promise<void> {
    return this.#work
  }

  /** One batch after the other, because an instance of the function takes no more. */
  async #giveAll(): Promise<void> {
    // Messages that are sent together share a call.
    await setImmediate()
    while (this.#waiting.length > 0) {
      this.#batch = this.#waiting.splice(0, batchLength(this.#waiting))
      for (const message of this.#batch) message.tries += 1
      const failed = await this.#deliver()
      const isDead = ({ tries }: Queued) => tries >= catalogSync.queue.tries
      this.#dead.push(...failed.filter(isDead).map(({ body }) => ({ body })))
      this.#batch = failed.filter((message) => !isDead(message))
      if (this.#batch.length > 0) await this.#service.storage.pause(pauseMs)
      this.#waiting.push(...this.#batch.splice(0))
    }
  }

  /** Gives the batch to the function. @returns the messages that are not done */
  async #deliver(): Promise<readonly Queued[]> {
    const { payload } = await invoke({
      functionName: 'catalog-sync',
      run: this.#handler,
      event: { Records: this.#batch.map(recordOf) },
      timeoutMs: catalogSync.timeout * 1000,
      log: this.#service.log,
    })
    if (payload === undefined) return this.#batch
    const { batchItemFailures } = JSON.parse(payload) as SQSBatchResponse
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    return this.#batch.filter(({ messageId }) => failed.has(messageId))
  }
}

/** How many of the first messages Lambda would give to one call. */
function batchLength(waiting: readonly Queued[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ body }) => {
    bytes += Buffer.byteLength(JSON.stringify(body)) + 1024
    return bytes > lambdaPayloadLimit
  })
  return Math.min(end === -1 ? waiting.length : end, catalogSync.queue.batchSize)
}

/** A record of SQS, as far as the function reads it. */
const recordOf = ({ messageId, body, sentAt, tries }: Queued) => {
  const attributes = { ApproximateReceiveCount: String(tries), SentTimestamp: String(sentAt) }
  return { messageId, body, attributes } as SQSRecord
}

/** All but what a message may have, by SQS's reference of `SendMessage`. */
const refusedBySqs = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u

export const catalogChangesPath = '/_local/catalog-changes'

/** The local server's stand-in for the queues of a deployed stage. */
export const catalogChanges = (queue: CatalogQueue) =>
  new Hono()
    .use(noWebPages)
    .get('/', (c) => c.json({ pending: queue.pending, deadLetters: queue.deadLetters }))
    .post('/redrive', (c) => c.json({ sent: queue.redrive() }, 202))
    .delete('/dead', (c) => c.json({ deleted: queue.deleteDead() }))
    .post('/', async (c) => {
      const body = await messageIn(c.req.raw)
      if (body === '') return c.json({ message: 'The body must be catalog changes.' }, 400)
      if (body === undefined) {
        const message = `A message has at most ${maxMessageBytes} bytes.`
        return c.json({ message }, 413, { connection: 'close' })
      }
      const [letter] = refusedBySqs.exec(body) ?? []
      if (letter === undefined) return c.json({ messageId: queue.send(body) }, 202)
      const escaped = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
      return c.json({ message: `SQS refuses this letter. Write it as ${escaped}.` }, 400)
    })
    .all('*', (c) => c.json({ message: 'Not Found' }, 404))

/** @returns the body, or nothing if it is too large; then the rest of it is not read */
async function messageIn({ body }: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxMessageBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
