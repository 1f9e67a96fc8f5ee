import { randomUUID } from 'node:crypto'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import type { Message } from '../functions/catalog-queue/message.ts'
import type { QueueHandler } from '../functions/catalog-sync.ts'
import { catalogSync } from '../functions/operations/lambdas.ts'
import { invoke, LAMBDA_PAYLOAD_LIMIT } from './gateway/invoke.ts'

type Queued = { readonly messageId: string; readonly body: string; readonly sentAt: number; tries: number }

/** What the queue needs besides the function. */
type Surroundings = {
  now(): number
  /** Waits until messages that have failed come again. */
  pause(): Promise<void>
  log(line: string): void
}

/** Calls of the function at a time. */
const concurrency = 2

/** A queue of SQS on one machine: it gives batches of messages to the function, again where they fail, and keeps dead letters. */
export class CatalogQueue {
  readonly #handler: QueueHandler
  readonly #surroundings: Surroundings
  #waiting: Queued[] = []
  #dead: Message[] = []
  #calls = 0
  #pending = 0
  #onIdle: (() => void)[] = []

  /** @param createHandler makes the function, with what it sends its dead letters by */
  constructor(
    createHandler: (deadLetters: (messages: readonly Message[]) => Promise<boolean[]>) => QueueHandler,
    surroundings: Surroundings,
  ) {
    this.#surroundings = surroundings
    this.#handler = createHandler(async (messages) => {
      this.#dead.push(...messages)
      return messages.map(() => true)
    })
  }

  get deadLetters(): readonly Message[] {
    return this.#dead
  }

  /** Messages that are neither applied nor dead. */
  get pending(): number {
    return this.#pending
  }

  send(body: string): string {
    const messageId = randomUUID()
    this.#waiting.push({ messageId, body, sentAt: this.#surroundings.now(), tries: 0 })
    this.#pending += 1
    // Messages that are sent in one go share a call.
    setImmediate(() => this.#work())
    return messageId
  }

  /** Sends all dead letters again. @returns how many there were */
  redrive(): number {
    const dead = this.#dead.splice(0)
    for (const { body } of dead) this.send(body)
    return dead.length
  }

  /** Resolves once no message is pending. */
  idle(): Promise<void> {
    return this.#pending === 0 ? Promise.resolve() : new Promise((resolve) => this.#onIdle.push(resolve))
  }

  #work(): void {
    if (this.#calls === concurrency) return
    const batch = this.#waiting.splice(0, batchLength(this.#waiting))
    if (batch.length === 0) return
    this.#calls += 1
    this.#call(batch).finally(() => {
      this.#calls -= 1
      this.#work()
      if (this.#pending === 0) for (const resume of this.#onIdle.splice(0)) resume()
    })
    this.#work()
  }

  async #call(batch: readonly Queued[]): Promise<void> {
    for (const message of batch) message.tries += 1
    const again = await this.#failedOf(batch)
    this.#pending -= batch.length - again.length
    if (again.length === 0) return
    const isDead = ({ tries }: Queued) => tries >= catalogSync.queue.tries
    const dead = again.filter(isDead).map(({ body }) => ({ body }))
    this.#dead.push(...dead)
    this.#pending -= dead.length
    this.#surroundings.pause().then(() => {
      this.#waiting.push(...again.filter((each) => !isDead(each)))
      this.#work()
    })
  }

  async #failedOf(batch: readonly Queued[]): Promise<readonly Queued[]> {
    const event: SQSEvent = { Records: batch.map((message) => recordOf(message, this.#surroundings.now())) }
    const timeoutMs = catalogSync.timeout * 1000
    const outcome = await invoke({ functionName: 'catalog-sync', run: this.#handler, event, timeoutMs })
    if (outcome.kind !== 'returned') {
      this.#surroundings.log(`catalog-sync ${outcome.kind === 'threw' ? `threw ${outcome.error}` : outcome.kind}`)
      return batch
    }
    const { batchItemFailures } = JSON.parse(outcome.payload) as SQSBatchResponse
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    return batch.filter(({ messageId }) => failed.has(messageId))
  }
}

/** How many of the first messages Lambda would give to one call. */
function batchLength(waiting: readonly Queued[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ body }) => {
    bytes += Buffer.byteLength(JSON.stringify(body)) + 1024
    return bytes > LAMBDA_PAYLOAD_LIMIT
  })
  return Math.min(end === -1 ? waiting.length : Math.max(end, 1), catalogSync.queue.batchSize)
}

const recordOf = ({ messageId, body, sentAt, tries }: Queued, now: number): SQSRecord => ({
  messageId,
  receiptHandle: messageId,
  body,
  attributes: {
    ApproximateReceiveCount: String(tries),
    SentTimestamp: String(sentAt),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(now),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:local:000000000000:catalog-changes',
  awsRegion: 'local',
})
