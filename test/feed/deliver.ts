import type { Context, SQSRecord } from 'aws-lambda'
import type { handler as sync } from '../../functions/catalog-sync.ts'
import { startOfTime } from '../support/time.ts'

export type Sent = { readonly body: string; readonly tries?: number; readonly queuedAt?: number }

/**
 * Gives messages to catalog-sync, which has so many milliseconds.
 * @returns the places of those that come again
 */
export async function deliver(
  handler: ReturnType<typeof sync.create>,
  messages: readonly (Sent | string)[],
  remaining = 600_000,
): Promise<number[]> {
  const Records = messages.map((message, index) => {
    const {
      body,
      tries = 1,
      queuedAt = startOfTime,
    } = typeof message === 'string' ? { body: message } : message
    const attributes = { ApproximateReceiveCount: String(tries), SentTimestamp: String(queuedAt) }
    return { messageId: String(index), body, attributes } as SQSRecord
  })
  const context = { awsRequestId: 'call', getRemainingTimeInMillis: () => remaining } as Context
  const { batchItemFailures } = await handler({ Records }, context)
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))
}
