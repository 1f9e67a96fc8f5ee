import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { millisecondsOf } from '@embed-access/core/time.ts'
import type { Runtime } from '../runtime/definition.ts'
import { logMetrics, type MetricName } from '../runtime/metrics.ts'
import type { Processed } from './apply-messages.ts'

/** The most values of a metric that CloudWatch takes in a line. */
const mostValues = 100

/**
 * Writes lines about the changes of a batch. CloudWatch makes metrics of them: `changes` by kind
 * and outcome, `changesRefused` of all kinds, `lag` from when a change was sent until it was
 * applied, in milliseconds, and `fieldsLeftOut`.
 */
export function report(runtime: Runtime, requestId: string, done: readonly Processed[]): void {
  const time = runtime.now()
  const write = (counted: Partial<Record<MetricName, number | number[]>>, more: object = {}) =>
    logMetrics(runtime, time, { level: 'info', requestId, ...more, ...counted })

  const groups = Map.groupBy(done, (each) => `${kindOf(each)} ${each.result.outcome}`)
  for (const same of groups.values()) {
    const [first] = same as [Processed]
    const { outcome } = first.result
    const refused = outcome === 'refused' && { changesRefused: same.length }
    write({ changes: same.length, ...refused }, { kind: kindOf(first), outcome })
  }
  const lags = done.flatMap((each) =>
    each.result.outcome === 'applied' ? [Math.max(0, time - sentAt(each))] : [],
  )
  for (let start = 0; start < lags.length; start += mostValues) {
    write({ lag: lags.slice(start, start + mostValues) })
  }
  const leftOut = done.flatMap((each) =>
    'leftOut' in each.result
      ? (each.result.leftOut ?? []).map(({ pointer }) => `${kindOf(each)} ${pointer}`)
      : [],
  )
  if (leftOut.length === 0) return
  const fields = [...new Set(leftOut)].slice(0, mostValues)
  write({ fieldsLeftOut: leftOut.length }, { level: 'warn', fields })
}

/** Each kind is a metric that costs money, so a kind that doesn't exist counts as unknown. */
function kindOf({ change }: Processed): string {
  const { kind } = Object(change)
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kind : 'unknown'
}

/**
 * When a change was sent, in milliseconds since the epoch. If the change does not say so, it is
 * when its message came into the queue.
 */
function sentAt({ change, record }: Processed): number {
  const { sentAt } = Object(change)
  return typeof sentAt === 'string'
    ? millisecondsOf(sentAt)
    : Number(record.attributes.SentTimestamp)
}
