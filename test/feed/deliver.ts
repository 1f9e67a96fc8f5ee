import type { Context, SQSRecord } from 'aws-lambda'
import { onTestFinished, vi } from 'vitest'
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

/**
 * Holds the time of the next call. `limits` are the milliseconds that it takes for itself. `end`
 * lets them pass; from then on time passes again.
 */
export function heldTime() {
  const limits: number[] = []
  const time = new AbortController()
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    limits.push(milliseconds)
    return time.signal
  })
  onTestFinished(() => void timeouts.mockRestore())
  return {
    limits,
    end(): void {
      timeouts.mockRestore()
      time.abort(new DOMException('The time is over.', 'TimeoutError'))
    },
  }
}
