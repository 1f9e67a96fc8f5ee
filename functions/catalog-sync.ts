import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { counting, type Spent } from '@embed-access/core/storage/sending-through.ts'
import middy from '@middy/core'
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { applyMessages, type Processed } from './catalog-queue/apply-messages.ts'
import { deadLetter } from './catalog-queue/message.ts'
import { report } from './catalog-queue/report.ts'
import { deadLetters } from './catalog-queue/sqs.ts'
import { catalogSync } from './operations/lambdas.ts'
import type { Given, Parts } from './runtime/definition.ts'
import { deployed } from './runtime/deployed.ts'
import { invocationLog, traceIdIn } from './runtime/invocation-log.ts'
import { storage } from './runtime/storage.ts'

const make = ({ environment }: Given) => ({ deadLetters: deadLetters(environment) })

type SyncParts = Parts<ReturnType<typeof make>>

/** The time that is left for the dead letters and the answer, in milliseconds. */
const reserve = 5000

/** The time that is left for the answer, in milliseconds. */
const reserveForAnswer = 1000

/**
 * Applies the catalog changes of a queue's messages. If a change fails, its whole message comes
 * again, which does no harm. Once a message does not come again, its refused changes become dead
 * letters, each with its reason. After the last try, its failed changes become dead letters too.
 */
function create(parts: SyncParts) {
  // All invocations of an instance share one writer, because it remembers what it has read and how
  // fast it may write. Lambda runs one invocation at a time.
  const spent: Spent = { calls: 0, units: 0 }
  const apply = catalogWriter(counting(parts.storage, spent), parts)
  // The function itself answers before its time ends, so middy must not.
  const handler = middy<SQSEvent, SQSBatchResponse>({ timeoutEarlyInMillis: 0 })
  handler
    .use(
      invocationLog(parts, 'catalogSync', (_event: SQSEvent, { awsRequestId }) => ({
        requestId: awsRequestId,
        traceId: traceIdIn(process.env._X_AMZN_TRACE_ID),
      })),
    )
    .handler(async ({ Records }, context) => {
      Object.assign(spent, { calls: 0, units: 0 })
      // A change that is not applied by then has failed.
      const done = await applyMessages(apply, Records, until(context, reserve))
      report(parts, context.awsRequestId, done)
      Object.assign(context.logFields, spent, { records: Records.length, ...outcomesOf(done) })
      const again = new Set(done.filter(comesAgain).map(({ record }) => record))
      const ended = done.filter(({ record }) => !again.has(record))
      const unsent = await sendDeadLetters(ended, parts, context)
      const failures = [...again, ...unsent]
      return { batchItemFailures: failures.map(({ messageId }) => ({ itemIdentifier: messageId })) }
    })
  return handler
}

/** A signal that aborts when the function has only `reserved` milliseconds left. */
function until(context: Context, reserved: number): AbortSignal {
  const time = context.getRemainingTimeInMillis() - reserved
  return time > 0 ? AbortSignal.timeout(time) : AbortSignal.abort()
}

function outcomesOf(done: readonly Processed[]) {
  const outcomes = { applied: 0, skipped: 0, refused: 0, failed: 0 }
  for (const { result } of done) outcomes[result.outcome] += 1
  return outcomes
}

const comesAgain = ({ record, result }: Processed): boolean =>
  result.outcome === 'failed' &&
  Number(record.attributes.ApproximateReceiveCount) < catalogSync.queue.tries

/**
 * Sends the dead letters of changes, as long as there is time.
 * @returns the messages whose letters the queue did not take
 */
async function sendDeadLetters(
  done: readonly Processed[],
  { deadLetters, log }: SyncParts,
  context: Context,
): Promise<Set<SQSRecord>> {
  const dead = done.flatMap(({ record, text, result }) => {
    const reason = reasonOf(result)
    return reason === undefined ? [] : [{ record, letter: deadLetter(text, reason) }]
  })
  if (dead.length === 0) return new Set()
  const letters = dead.map(({ letter }) => letter)
  const { isSent, error } = await deadLetters(letters, until(context, reserveForAnswer))
  if (error !== undefined)
    log({
      level: 'error',
      requestId: context.awsRequestId,
      message: `The queue of dead letters did not take a call: ${error}`,
    })
  const unsent = new Set(dead.filter((_, index) => !isSent[index]).map(({ record }) => record))
  for (const { messageId } of unsent) {
    log({
      level: 'error',
      requestId: messageId,
      message: 'The queue of dead letters did not take a change.',
    })
  }
  return unsent
}

function reasonOf(result: Processed['result']): string | undefined {
  if (result.outcome === 'failed') return `failed: ${result.reason}`
  if (result.outcome !== 'refused') return undefined
  return result.problems.map(({ pointer, reason }) => `${pointer} ${reason}`.trim()).join('; ')
}

const warmUpRequest = () => {
  const change = { kind: 'folder', data: { deploymentId: 0, id: 0, name: 'f', parentId: null } }
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: '0' }
  const record = { messageId: '', body: JSON.stringify([change]), attributes }
  return { Records: [record] } as unknown as SQSEvent
}

export const handler = await deployed(catalogSync, { storage, make, create, warmUpRequest })
