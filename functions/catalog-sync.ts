import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { counting, type Spent } from '@embed-access/core/storage/sending-through.ts'
import middy from '@middy/core'
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { applyMessages, type ProcessedMessage } from './catalog-queue/apply-messages.ts'
import { deadLetter } from './catalog-queue/message.ts'
import { report } from './catalog-queue/report.ts'
import { deadLetters } from './catalog-queue/sqs.ts'
import { catalogSync } from './operations/lambdas.ts'
import { invocationLog, type LoggedContext } from './runtime/invocation-log.ts'
import { lambda } from './runtime/lambda.ts'
import type { Handler, Parts } from './runtime/runtime.ts'
import { storage } from './runtime/storage.ts'

export type QueueHandler = Handler<SQSEvent, SQSBatchResponse>

const uses = { storage, deadLetters }

/** The time that is left for the dead letters and the answer, in milliseconds. */
const reserve = 5000

/** By the end of its time, the function answers what it has done. So middy must not answer before. */
const noTimeLimit = { timeoutEarlyInMillis: 0 }

/**
 * Applies the catalog changes of a queue's messages. If a change fails, its whole message comes again, which does no
 * harm. Once a message is done, or has come for the last time, each of its changes that was refused or has failed
 * becomes a dead letter with its reason.
 */
function create(parts: Parts<typeof uses>): QueueHandler {
  // One writer for all invocations of an instance: it remembers, and slows down. Lambda runs one of them at a time.
  const spent: Spent = { calls: 0, units: 0 }
  const apply = catalogWriter(counting(parts.storage, spent), parts)
  const handler = middy<SQSEvent, SQSBatchResponse, Error, LoggedContext>(noTimeLimit)
    .use(invocationLog<SQSEvent>(parts, 'catalogSync', (_, { awsRequestId }) => ({ requestId: awsRequestId })))
    .handler(async ({ Records }, context) => {
      Object.assign(spent, { calls: 0, units: 0 })
      // What is not applied by then has failed.
      const end = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - reserve))
      const messages = await applyMessages(apply, Records, end)
      report(parts, context.awsRequestId, messages)
      Object.assign(context.logFields, spent, batchOf(messages))
      const [again, ended] = [messages.filter(comesAgain), messages.filter((message) => !comesAgain(message))]
      const failures = [...again, ...(await undeliveredLetters(ended, parts, context.awsRequestId))]
      return { batchItemFailures: failures.map(({ record }) => ({ itemIdentifier: record.messageId })) }
    })
  return (event, context) => handler(event, context as LoggedContext)
}

/** How many messages came, and how many of their changes had each outcome. */
const batchOf = (messages: readonly ProcessedMessage[]) => {
  const batch = { records: messages.length, applied: 0, skipped: 0, refused: 0, failed: 0 }
  for (const { result } of messages.flatMap(({ changes }) => changes)) batch[result.outcome] += 1
  return batch
}

const comesAgain = ({ record, changes }: ProcessedMessage): boolean =>
  Number(record.attributes.ApproximateReceiveCount) < catalogSync.queue.tries &&
  changes.some(({ result }) => result.outcome === 'failed')

/** Sends the dead letters of messages. @returns the messages whose letters the queue did not take */
async function undeliveredLetters(
  messages: readonly ProcessedMessage[],
  { deadLetters, log }: Parts<typeof uses>,
  requestId: string,
): Promise<ProcessedMessage[]> {
  const dead = messages.flatMap((message) =>
    message.changes.flatMap(({ text, result }) => {
      const reason = reasonOf(result)
      return reason === undefined ? [] : [{ message, letter: deadLetter(text, reason) }]
    }),
  )
  if (dead.length === 0) return []
  const isSent = await deadLetters(dead.map(({ letter }) => letter)).catch((error: unknown) => {
    log({ level: 'error', requestId, message: `The queue of dead letters did not take a call: ${error}` })
    return []
  })
  const unsent = new Set(dead.flatMap(({ message }, index) => (isSent[index] ? [] : [message])))
  for (const { record } of unsent) {
    log({ level: 'error', requestId: record.messageId, message: 'The queue of dead letters did not take a change.' })
  }
  return [...unsent]
}

function reasonOf(result: ProcessedMessage['changes'][number]['result']): string | undefined {
  if (result.outcome === 'failed') return `failed: ${result.reason}`
  if (result.outcome !== 'refused') return undefined
  return result.problems.map(({ pointer, reason }) => `${pointer} ${reason}`.trim()).join('; ')
}

/** A message with one change. All of them look alike. */
const warmUpRequests = () => {
  const change = { kind: 'folder', data: { deploymentId: 0, id: 0, name: '', parentId: null } }
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: '0' }
  return [{ Records: [{ messageId: '', body: JSON.stringify([change]), attributes }] } as unknown as SQSEvent]
}

export const handler = await lambda(catalogSync, { uses, create, warmUpRequests })
