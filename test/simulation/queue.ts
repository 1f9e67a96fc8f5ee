import type { Context, SQSRecord } from 'aws-lambda'
import type { Message as Letter } from '../../functions/catalog-queue/message.ts'
import type { handler as sync } from '../../functions/catalog-sync.ts'
import { catalogSync } from '../../functions/operations/lambdas.ts'
import { folder } from '../support/catalog.ts'
import { startOfTime } from '../support/time.ts'
import { mayBeRefused } from './api-keys.ts'
import { Broken } from './broken.ts'
import type { Planned } from './plan.ts'
import type { Actor } from './scheduler.ts'
import type { Setting } from './setting.ts'

/** A change as text. One that is to be refused is not in the plan. */
type Line = { readonly text: string; readonly planned?: Planned }

type Message = { readonly id: string; readonly lines: readonly Line[]; tries: number }

/** No seed comes near this. Without it, a message that always fails would come again forever. */
const mostFailures = 2000

/** The most letters that the queue of dead letters does not take. */
const mostLettersLost = 5

/** Changes that are refused whatever is stored. */
const refused = ['{"kind":', '{"kind":"fold"}', JSON.stringify({ ...folder(1, 7, null), revision: 'one' })]

/**
 * Delivers the changes of a plan through the function of the queue, run by several workers. A message has one to three
 * changes, a batch one to ten messages. Each batch comes one to three times, perhaps at the same time. What the function
 * reports as failed comes again, and so does what a killed worker had. What fails in its last try is redriven.
 */
export class Queue {
  readonly #create: typeof sync.create
  readonly #setting: Setting
  readonly #waiting: Line[]
  readonly #again: Message[] = []
  readonly #copies: (readonly Message[])[] = []
  readonly #underWay = new Map<Actor, readonly Message[]>()
  readonly #dead = new Set<string>()
  #wake: (() => void)[] = []
  #workers = 0
  #messages = 0
  #failures = 0
  #lettersLost = 0

  constructor(createHandler: typeof sync.create, plan: readonly Planned[], setting: Setting) {
    this.#create = createHandler
    this.#setting = setting
    this.#waiting = plan.map((planned) => ({ text: JSON.stringify(planned.change), planned }))
    for (const text of refused) this.#putBack({ text })
  }

  get done(): boolean {
    return [this.#waiting, this.#again, this.#copies].every(({ length }) => length === 0) && this.#underWay.size === 0
  }

  /** @throws Broken unless each change that is refused is a dead letter */
  checkDeadLetters(): void {
    for (const text of refused) if (!this.#dead.has(text)) throw new Broken(`A refused change is lost: ${text}`)
  }

  /** The messages of a killed worker come again, and another worker takes its place. */
  onKill(worker: Actor, failed: (error: unknown) => void): void {
    this.#again.push(...(this.#underWay.get(worker) ?? []))
    this.#underWay.delete(worker)
    this.start().catch(failed)
    this.#wakeAll()
  }

  /** One more worker, until there is nothing left to deliver. */
  async start(): Promise<void> {
    this.#workers += 1
    const worker: Actor = { name: `worker ${this.#workers}`, dead: false }
    const storage = this.#setting.network.storage(worker)
    let failedLines = new Set<string>()
    const deadLetters = async (letters: readonly Letter[]) => {
      await storage.pause(0)
      return letters.map((letter) => {
        const isTaken = this.#takes(letter)
        if (isTaken && isOfFailure(letter)) failedLines.add(letter.body)
        return isTaken
      })
    }
    const handler = this.#create({ storage, now: () => startOfTime, issuer: 'simulated', log: () => {}, deadLetters })
    while (!this.done) {
      const batch = this.#take()
      if (batch.length === 0) {
        await new Promise<void>((resolve) => this.#wake.push(resolve))
        continue
      }
      this.#underWay.set(worker, batch)
      failedLines = new Set()
      const { batchItemFailures } = await handler({ Records: batch.map((each) => this.#delivered(each)) }, context)
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
      this.#underWay.delete(worker)
      for (const message of batch) this.#end(message, failed.has(message.id), failedLines)
      this.#wakeAll()
    }
  }

  #delivered(message: Message): SQSRecord {
    message.tries += 1
    for (const { planned } of message.lines)
      if (planned) this.#setting.timeline.deliver(planned, this.#setting.scheduler.tick())
    const attributes = { ApproximateReceiveCount: String(message.tries), SentTimestamp: String(startOfTime) }
    return { messageId: message.id, body: message.lines.map(({ text }) => text).join('\n'), attributes } as SQSRecord
  }

  #end(message: Message, hasFailed: boolean, failedLines: ReadonlySet<string>): void {
    if (hasFailed) {
      this.#countFailure()
      // SQS makes the message a dead letter after its last try. Here it is redriven at once.
      if (message.tries >= catalogSync.queue.tries) message.tries = 0
      this.#again.push(message)
      return
    }
    for (const line of message.lines) {
      if (failedLines.has(line.text)) {
        this.#countFailure()
        this.#putBack(line)
      } else if (line.planned) this.#setting.timeline.acknowledge(line.planned, this.#setting.scheduler.tick())
    }
  }

  #takes(letter: Letter): boolean {
    if (!isOfFailure(letter) && !refused.includes(letter.body) && !mayBeRefused(JSON.parse(letter.body))) {
      throw new Broken(`A valid change is a dead letter, since ${letter.reason}: ${letter.body}`)
    }
    if (this.#lettersLost < mostLettersLost && this.#setting.random.chance(0.2)) {
      this.#lettersLost += 1
      return false
    }
    this.#dead.add(letter.body)
    return true
  }

  #countFailure(): void {
    this.#failures += 1
    if (this.#failures > mostFailures) throw new Broken('The same changes fail again and again.')
  }

  /** A batch that has come before, or a new one, which may come more often. */
  #take(): readonly Message[] {
    const isCopy = this.#copies.length > 0 && this.#setting.random.chance(0.5)
    const batch = isCopy ? [] : this.#newBatch()
    if (batch.length === 0) {
      return this.#copies.splice(this.#setting.random.between(0, this.#copies.length - 1), 1)[0] ?? []
    }
    for (let copies = this.#setting.random.between(0, 2); copies > 0; copies -= 1) this.#copies.push(batch)
    return batch
  }

  #newBatch(): Message[] {
    const size = this.#setting.random.between(1, 10)
    const batch = new Set(this.#again.splice(0, this.#setting.random.between(1, size)))
    while (batch.size < size) {
      const lines = this.#ready(this.#setting.random.between(1, 3), [...batch])
      if (lines.length === 0) break
      this.#messages += 1
      // One that has come often may be in its last try.
      const tries = this.#setting.random.pick([0, 0, 0, catalogSync.queue.tries - 1])
      batch.add({ id: `message ${this.#messages}`, lines, tries })
    }
    return [...batch]
  }

  /** The next changes that may be delivered. */
  #ready(most: number, batch: readonly Message[]): Line[] {
    const lines: Line[] = []
    for (let index = 0; index < this.#waiting.length && lines.length < most; ) {
      const after = this.#waiting[index]?.planned?.after
      if (after && !this.#isOver(after, [...lines, ...batch.flatMap((message) => message.lines)])) index += 1
      else lines.push(...this.#waiting.splice(index, 1))
    }
    return lines
  }

  /** Without a revision, a change that came again after the next one would undo that. */
  #isOver(change: Planned, taken: readonly Line[]): boolean {
    if (!this.#setting.timeline.isAcknowledged(change)) return false
    if (change.change.revision !== undefined) return true
    const messages = [...this.#again, ...this.#copies.flat(), ...[...this.#underWay.values()].flat()]
    return ![...taken, ...this.#waiting, ...messages.flatMap(({ lines }) => lines)].some(
      ({ planned }) => planned === change,
    )
  }

  #putBack(line: Line): void {
    this.#waiting.splice(this.#setting.random.between(0, this.#waiting.length), 0, line)
  }

  #wakeAll(): void {
    for (const resume of this.#wake.splice(0)) resume()
  }
}

const isOfFailure = ({ reason }: Letter): boolean => reason?.startsWith('failed: ') === true

const context = { awsRequestId: 'simulated', getRemainingTimeInMillis: () => catalogSync.timeout * 1000 } as Context
