import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { inGroups } from '@embed-access/core/storage/in-groups.ts'
import {
  deadQueueSuffix,
  type Message,
  reasonAttribute,
  type SendMessages,
} from '../../functions/catalog-queue/message.ts'
import { mostInBatch, sendTo, sqsClient } from '../../functions/catalog-queue/sqs.ts'
import { reasonIn, UsageError } from '../terminal.ts'

export type Queue = {
  send: SendMessages
  deadLetters(): AsyncIterable<Message>
  /** Begins to move all dead letters to the queue. @returns how many there are */
  redrive(): Promise<number>
  /** Deletes all dead letters, of the local server alone. @returns how many there were */
  deleteDead(): Promise<number>
}

export function queueFrom({ CATALOG_QUEUE_URL: url }: NodeJS.ProcessEnv): Queue {
  if (!url) throw new Error(`Set CATALOG_QUEUE_URL to the URL of the queue. ${urlAdvice}`)
  if (!URL.canParse(url)) throw new Error(`CATALOG_QUEUE_URL is not a URL. ${urlAdvice}`)
  return new URL(url).pathname === '/_local/catalog-changes'
    ? localQueue(url)
    : sqsQueue(explaining(sqsClient(), url), url)
}

const urlAdvice = 'For npm start it is http://127.0.0.1:8787/_local/catalog-changes.'

const notSqs = 'what answers there is no SQS'

const reasons = {
  'Region is missing': 'there is no AWS_REGION',
  CredentialsProviderError: 'there are no AWS credentials ({message})',
  QueueDoesNotExist: 'AWS has no such queue',
  ECONNREFUSED: 'nothing answers there',
  ENOTFOUND: 'nothing answers there',
  'Not Found': notSqs,
  SyntaxError: notSqs,
}

/** Adds the URL, which may be wrong, to the errors of the client. */
function explaining(client: SQSClient, url: string): SQSClient {
  const explain = (error: unknown): never => {
    const reason = reasonIn(reasons, error)
    if (reason === undefined) throw error
    const advice = `Check CATALOG_QUEUE_URL. ${urlAdvice}`
    throw new Error(`The queue ${url} can’t be reached: ${reason}. ${advice}`, { cause: error })
  }
  client.middlewareStack.add((next) => (args) => next(args).catch(explain))
  return client
}

function sqsQueue(client: SQSClient, url: string): Queue {
  const QueueUrl = url + deadQueueSuffix
  /** @throws Error with a plain sentence if all letters are hidden: none can be read or moved */
  const attributes = async () => {
    const AttributeNames: QueueAttributeName[] = [
      'QueueArn',
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
    ]
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames }),
    )
    const count = Number(Attributes.ApproximateNumberOfMessages)
    const hidden = Number(Attributes.ApproximateNumberOfMessagesNotVisible)
    // After a command has read a letter, SQS hides the letter for a while. It does so even if
    // somebody has killed the command.
    const why = 'The dead letters are hidden while another command reads them.'
    if (count === 0 && hidden > 0) throw new Error(`${why} Try again later.`)
    return { arn: Attributes.QueueArn ?? '', count }
  }
  return {
    send: sendTo(client, url),
    /** Reads as many messages as there are now. Later ones are for the next call. */
    async *deadLetters() {
      const { count } = await attributes()
      // In seconds. A letter that came again would look like the end of the queue.
      const VisibilityTimeout = 30 + Math.ceil(count / 25)
      const receipts = new Map<string | undefined, string | undefined>()
      while (receipts.size < count) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: mostInBatch,
            VisibilityTimeout,
            WaitTimeSeconds: 1,
            MessageAttributeNames: [reasonAttribute],
          }),
        )
        const unseen = Messages.filter(({ MessageId }) => !receipts.has(MessageId))
        if (unseen.length === 0) break
        for (const { MessageId, ReceiptHandle, Body: body = '', MessageAttributes } of unseen) {
          receipts.set(MessageId, ReceiptHandle)
          const reason = MessageAttributes?.[reasonAttribute]?.StringValue
          yield { body, ...(reason !== undefined && { reason }) }
        }
      }
      await unhide(client, QueueUrl, [...receipts.values()])
    },
    async redrive() {
      const { arn, count } = await attributes()
      // Without a destination SQS moves a letter to the queue that it came from. The function's
      // letters came from none.
      const DestinationArn = arn.slice(0, -deadQueueSuffix.length)
      await client.send(new StartMessageMoveTaskCommand({ SourceArn: arn, DestinationArn }))
      return count
    },
    deleteDead: () =>
      Promise.reject(new UsageError("A deployed stage's letters are deleted in SQS's console.")),
  }
}

/** Makes messages visible again, so that a redrive finds what was just read. */
async function unhide(
  client: SQSClient,
  QueueUrl: string,
  receipts: readonly (string | undefined)[],
): Promise<void> {
  for (const group of inGroups(receipts, mostInBatch)) {
    const Entries = group.map((ReceiptHandle, index) => {
      return { Id: String(index), ReceiptHandle, VisibilityTimeout: 0 }
    })
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }))
  }
}

function localQueue(url: string): Queue {
  const call = async <Answer>(method: string, path: string, body?: string) => {
    const signal = AbortSignal.timeout(10_000)
    const response = await fetch(url + path, { method, body: body ?? null, signal }).catch(() => {
      const advice = 'Start the service with npm start, or check CATALOG_QUEUE_URL.'
      throw new Error(`Nothing answers at ${url}. ${advice}`)
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (answer === undefined)
      throw new Error(`What answers at ${url} is no service of npm start. Check CATALOG_QUEUE_URL.`)
    if (response.ok) return answer as Answer
    throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  }
  return {
    async send(messages) {
      const isSent = messages.map(() => false)
      try {
        for (const [index, { body }] of messages.entries()) {
          await call('POST', '', body)
          isSent[index] = true
        }
      } catch (error) {
        return { isSent, error }
      }
      return { isSent }
    },
    async *deadLetters() {
      yield* (await call<{ deadLetters: readonly Message[] }>('GET', '')).deadLetters
    },
    redrive: async () => (await call<{ sent: number }>('POST', '/redrive')).sent,
    deleteDead: async () => (await call<{ deleted: number }>('DELETE', '/dead')).deleted,
  }
}
