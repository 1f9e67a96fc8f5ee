import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { maxMessageBytes } from '../../functions/catalog-queue/message.ts'
import { listening } from '../support/temporary.ts'

type Attributes = Record<string, { readonly DataType: string; readonly StringValue: string }>
type Entry = {
  readonly Id: string
  readonly MessageBody: string
  readonly MessageAttributes?: Attributes
}
type Stored = {
  readonly id: string
  readonly body: string
  readonly attributes: Attributes | undefined
  /** In seconds. Each call takes a fifth of one. */
  hiddenUntil: number
}

type Input = {
  readonly QueueUrl?: string
  readonly Entries: readonly (Entry & {
    readonly ReceiptHandle: string
    readonly VisibilityTimeout: number
  })[]
  readonly AttributeNames?: readonly string[]
  readonly MessageAttributeNames?: readonly string[]
  readonly MaxNumberOfMessages: number
  readonly VisibilityTimeout?: number
  readonly SourceArn: string
  readonly DestinationArn?: string
}

/** What SQS refuses, by the name of its error. */
class Refused extends Error {}

/** SQS gives the attributes whose names it is asked for, and no others. */
const asked = <Value>(names: readonly string[] = [], attributes: Record<string, Value> = {}) =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))

export type Sqs = Awaited<ReturnType<typeof startSqs>>

/**
 * The part of SQS that the product calls, in its JSON protocol. It takes no more in a batch than
 * SQS does.
 */
export async function startSqs() {
  const queues = new Map<string, Stored[]>()
  let refusals: (string | undefined)[] = []
  let seconds = 0
  const isHidden = ({ hiddenUntil }: Stored) => hiddenUntil > seconds

  const queueOf = (url: string): Stored[] => {
    const name = new URL(url).pathname.split('/').at(-1) as string
    return queues.get(name) ?? (queues.set(name, []).get(name) as Stored[])
  }
  const store = (queue: Stored[], body: string, attributes?: Attributes): string => {
    const id = randomUUID()
    queue.push({ id, body, attributes, hiddenUntil: 0 })
    return id
  }

  const operations: Readonly<Record<string, (queue: Stored[], input: Input) => object>> = {
    SendMessageBatch(queue, { Entries }) {
      if (Entries.length > 10) throw new Refused('TooManyEntriesInBatchRequest')
      if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length)
        throw new Refused('BatchEntryIdsNotDistinct')
      if (bytesOf(Entries) > maxMessageBytes) throw new Refused('BatchRequestTooLong')
      if (!Entries.every(hasWholeAttributes)) throw new Refused('InvalidParameterValue')
      const taken = Entries.filter(({ MessageBody }) => !sqs.failing(MessageBody))
      const others = Entries.filter((entry) => !taken.includes(entry))
      const Successful = taken.map(({ Id, MessageBody, MessageAttributes }) => ({
        Id,
        MessageId: store(queue, MessageBody, MessageAttributes),
      }))
      const Failed = others.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false }))
      return { ...(taken.length > 0 && { Successful }), ...(others.length > 0 && { Failed }) }
    },
    GetQueueAttributes: (queue, { QueueUrl = '', AttributeNames }) => ({
      Attributes: asked(AttributeNames, {
        QueueArn: `arn:aws:sqs:eu-central-1:000000000000:${basename(new URL(QueueUrl).pathname)}`,
        ApproximateNumberOfMessages: String(queue.filter((each) => !isHidden(each)).length),
        ApproximateNumberOfMessagesNotVisible: String(queue.filter(isHidden).length),
      }),
    }),
    // What was sent to a queue of dead letters by itself has no source that it could go back to.
    StartMessageMoveTask(_, { SourceArn, DestinationArn }) {
      if (DestinationArn === undefined) throw new Refused('InvalidParameterValue')
      const [from, to] = [SourceArn, DestinationArn].map((arn) =>
        queueOf(sqs.url(arn.split(':').at(-1) as string)),
      )
      to?.push(...(from?.splice(0) ?? []))
      return { TaskHandle: 'task' }
    },
    ReceiveMessage(queue, { MaxNumberOfMessages, VisibilityTimeout = 30, MessageAttributeNames }) {
      const given = queue.filter((each) => !isHidden(each)).slice(0, MaxNumberOfMessages)
      for (const message of given) message.hiddenUntil = seconds + VisibilityTimeout
      return {
        Messages: given.map(({ id, body, attributes }) => ({
          MessageId: id,
          ReceiptHandle: `receipt ${id}`,
          Body: body,
          MessageAttributes: asked(MessageAttributeNames, attributes),
        })),
      }
    },
    ChangeMessageVisibilityBatch(queue, { Entries }) {
      if (Entries.length > 10) throw new Refused('TooManyEntriesInBatchRequest')
      for (const { ReceiptHandle, VisibilityTimeout } of Entries) {
        const message = queue.find(({ id }) => ReceiptHandle === `receipt ${id}`)
        if (message) message.hiddenUntil = seconds + VisibilityTimeout
      }
      return {}
    },
  }

  const answer = (operation: string, input: Input): object => {
    sqs.calls.push('Entries' in input ? `${operation} ${input.Entries.length}` : operation)
    const refusal = refusals.shift()
    seconds += 0.2
    if (refusal !== undefined) throw new Refused(refusal)
    const run = operations[operation]
    if (!run) throw new Refused('UnsupportedOperation')
    return run(queueOf(input.QueueUrl ?? sqs.url('')), input)
  }

  const server = createServer(async (request, response) => {
    const input = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    if (sqs.unanswered) return sqs.unanswered()
    try {
      const operation = String(request.headers['x-amz-target']).split('.')[1] as string
      response.end(JSON.stringify(answer(operation, input)))
    } catch (error) {
      const __type =
        error instanceof Refused ? `com.amazonaws.sqs#${error.message}` : 'InternalFailure'
      response
        .writeHead(error instanceof Refused ? 400 : 500)
        .end(JSON.stringify({ __type, message: String(error) }))
    }
  })
  const { url, end } = await listening(server)

  const sqs = {
    /** The URL of a queue. Each name has one. */
    url: (name: string) => `${url}/000000000000/${name}`,
    bodies: (name: string) => queueOf(sqs.url(name)).map(({ body }) => body),
    put(name: string, body: string, reason?: string): void {
      store(
        queueOf(sqs.url(name)),
        body,
        reason ? { reason: { DataType: 'String', StringValue: reason } } : undefined,
      )
    },
    /** The calls since the last `reset`, each with how many messages it named. */
    calls: [] as string[],
    /** Refuses the next calls by an error of this name, after some that it takes. */
    refuse(error: string, times: number, taken = 0): void {
      refusals = [...Array(taken), ...Array(times).fill(error)]
    },
    /** Messages with such a body fail within their batch. */
    failing: (_body: string): boolean => false,
    /** If this is set, the queue answers no call, and calls this instead. */
    unanswered: undefined as (() => void) | undefined,
    reset(): void {
      queues.clear()
      refusals = []
      sqs.calls.length = 0
      sqs.failing = () => false
      sqs.unanswered = undefined
    },
    end,
  }
  return sqs
}

const hasWholeAttributes = ({ MessageAttributes = {} }: Entry) =>
  Object.values(MessageAttributes).every(({ DataType, StringValue }) => DataType && StringValue)

/** SQS counts the bodies and the names, types and values of the attributes. */
function bytesOf(entries: readonly Entry[]): number {
  const texts = entries.flatMap(({ MessageBody, MessageAttributes = {} }) => [
    MessageBody,
    ...Object.entries(MessageAttributes).flatMap(([name, { DataType, StringValue }]) => [
      name,
      DataType,
      StringValue,
    ]),
  ])
  return Buffer.byteLength(texts.join(''))
}
