import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Context, SQSRecord } from 'aws-lambda'
import type { Message as Letter } from '../../functions/catalog-queue/message.ts'
import type { handler as sync } from '../../functions/catalog-sync.ts'
import { catalogSync } from '../../functions/operations/lambdas.ts'
import { folder } from '../support/catalog.ts'
import { startOfTime } from '../support/time.ts'
import { mayBeRefused } from './api-keys.ts'
import { Delivery, type Setting, takeReady } from './delivery.ts'
import type { Planned } from './plan.ts'

/** A change of the plan, or the text of one that is refused whatever is stored. */
type Line = Planned | string

type Message = { readonly id: string; readonly lines: readonly Line[]; tries: number }

/** No seed comes near this. Without it, a message that always fails would come again forever. */
const mostFailures = 2000

/** The most letters that the queue of dead letters does not take. */
const mostLettersLost = 5

const refused = [
  '{"kind":',
  '{"kind":"fold"}',
  JSON.stringify({ ...folder(1, 7, null), revision: 'one' }),
]

const textOf = (line: Line): string =>
  typeof line === 'string' ? line : JSON.stringify(line.change)

/**
 * Delivers the changes of a plan through the function of the queue, run by several workers. A
 * message has one to three changes, a batch one to ten messages. Each batch comes one to three
 * times, perhaps at the same time. What the function reports as failed comes again, and so does
 * what a killed worker had. What fails in its last try is redriven.
 */
export class Queue extends Delivery<Message> {
  readonly #create: typeof sync.create
  readonly #waiting: Line[]
  readonly #again: Message[] = []
  readonly #copies: (readonly Message[])[] = []
  readonly #dead = new Set<string>()
  #messages = 0
  #failures = 0
  #lettersLost = 0

  constructor(createHandler: typeof sync.create, plan: readonly Planned[], setting: Setting) {
    super(setting)
    this.#create = createHandler
    this.#waiting = [...plan]
    for (const text of refused) this.#putBack(text)
  }

  isEmpty(): boolean {
    return [this.#waiting, this.#again, this.#copies].every(({ length }) => length === 0)
  }

  giveBack(batch: readonly Message[]): void {
    this.#again.push(...batch)
  }

  /** @throws Error unless each change that is refused is a dead letter */
  checkDeadLetters(): void {
    for (const text of refused)
      if (!this.#dead.has(text)) throw new Error(`A refused change is lost: ${text}`)
  }

  worker(storage: Storage) {
    let failedLines = new Set<string>()
    const deadLetters = async (letters: readonly Letter[]) => {
      await storage.pause(0)
      const isSent = letters.map((letter) => {
        const isTaken = this.#takes(letter)
        if (isTaken && isOfFailure(letter)) failedLines.add(letter.body)
        return isTaken
      })
      return { isSent }
    }
    const handler = this.#create({
      storage,
      now: () => this.setting.scheduler.now,
      issuer: 'simulated',
      log: () => {},
      deadLetters,
    })
    return async (batch: readonly Message[]) => {
      failedLines = new Set()
      const { batchItemFailures } = await handler(
        { Records: batch.map((each) => this.#delivered(each)) },
        context,
      )
      const failed = batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
      return () => {
        for (const message of batch) this.#end(message, failed.includes(message.id), failedLines)
      }
    }
  }

  #delivered(message: Message): SQSRecord {
    const { timeline } = this.setting
    message.tries += 1
    for (const line of message.lines) if (typeof line !== 'string') timeline.deliver(line)
    const attributes = {
      ApproximateReceiveCount: String(message.tries),
      SentTimestamp: String(startOfTime),
    }
    return {
      messageId: message.id,
      body: message.lines.map(textOf).join('\n'),
      attributes,
    } as SQSRecord
  }

  #end(message: Message, hasFailed: boolean, failedLines: ReadonlySet<string>): void {
    const { timeline } = this.setting
    if (hasFailed) {
      this.#countFailure()
      // SQS makes the message a dead letter after its last try. Here it is redriven at once.
      if (message.tries >= catalogSync.queue.tries) message.tries = 0
      this.#again.push(message)
      return
    }
    for (const line of message.lines) {
      if (failedLines.has(textOf(line))) {
        this.#countFailure()
        this.#putBack(line)
      } else if (typeof line !== 'string') timeline.acknowledge(line)
    }
  }

  #takes(letter: Letter): boolean {
    if (
      !isOfFailure(letter) &&
      !refused.includes(letter.body) &&
      !mayBeRefused(JSON.parse(letter.body))
    ) {
      throw new Error(`A valid change is a dead letter, since ${letter.reason}: ${letter.body}`)
    }
    if (this.#lettersLost < mostLettersLost && this.setting.random.chance(0.2)) {
      this.#lettersLost += 1
      return false
    }
    this.#dead.add(letter.body)
    return true
  }

  #countFailure(): void {
    this.#failures += 1
    if (this.#failures > mostFailures) throw new Error('The same changes fail again and again.')
  }

  /** A batch that has come before, or a new one, which may come more often. */
  take(): readonly Message[] {
    const { random } = this.setting
    const isCopy = this.#copies.length > 0 && random.chance(0.5)
    const batch = isCopy ? [] : this.#newBatch()
    if (batch.length === 0)
      return this.#copies.splice(random.between(0, this.#copies.length - 1), 1)[0] ?? []
    for (let copies = random.between(0, 2); copies > 0; copies -= 1) this.#copies.push(batch)
    return batch
  }

  #newBatch(): Message[] {
    const { random } = this.setting
    const size = random.between(1, 10)
    const batch = new Set(this.#again.splice(0, random.between(1, size)))
    while (batch.size < size) {
      const inBatch = [...batch].flatMap(({ lines }) => lines)
      const lines = takeReady(this.#waiting, random.between(1, 3), (line, taken) => {
        const after = typeof line === 'string' ? undefined : line.after
        return !after || this.#isOver(after, [...taken, ...inBatch])
      })
      if (lines.length === 0) break
      this.#messages += 1
      // One that has come often may be in its last try.
      const tries = random.pick([0, 0, 0, catalogSync.queue.tries - 1])
      batch.add({ id: `message ${this.#messages}`, lines, tries })
    }
    return [...batch]
  }

  /** Without a revision, a change that came again after the next one would undo that. */
  #isOver(change: Planned, taken: readonly Line[]): boolean {
    if (!this.setting.timeline.isAcknowledged(change)) return false
    if (change.change.revision !== undefined) return true
    const messages = [this.#again, ...this.#copies, ...this.underWay.values()].flat()
    return ![...taken, ...this.#waiting, ...messages.flatMap(({ lines }) => lines)].includes(change)
  }

  #putBack(line: Line): void {
    this.#waiting.splice(this.setting.random.between(0, this.#waiting.length), 0, line)
  }
}

const isOfFailure = ({ reason }: Letter): boolean => reason?.startsWith('failed: ') === true

const context = {
  awsRequestId: 'simulated',
  getRemainingTimeInMillis: () => catalogSync.timeout * 1000,
} as Context
