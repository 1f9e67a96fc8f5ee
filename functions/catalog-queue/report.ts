import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { millisecondsOf } from '@embed-access/core/time.ts'
import type { Runtime } from '../runtime/definition.ts'
import { logMetrics, type MetricName } from '../runtime/metrics.ts'
import type { Processed } from './apply-messages.ts'

/** The most values of a metric that CloudWatch takes in a line. */
const mostValues = 100

/**
 * Writes what became of the changes of a batch, as lines of which CloudWatch makes metrics:
 * `changes` by kind and outcome, `changesRefused` of all kinds, `lag` of the applied ones in
 * milliseconds since they were sent, and `fieldsLeftOut`.
 */
export function report(runtime: Runtime, requestId: string, done: readonly Processed[]): void {
  const time = runtime.now()
  const write = (counted: Partial<Record<MetricName, number | number[]>>, more: object = {}) =>
    logMetrics(runtime, time, { level: 'info', requestId, ...more, ...counted })

  for (const [, same] of Map.groupBy(done, (each) => `${kindOf(each)} ${each.result.outcome}`)) {
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
  const { kind } = (change ?? {}) as { kind?: unknown }
  return typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kind : 'unknown'
}

/**
 * What sends no time has been sent when its message came into the queue. In milliseconds since the
 * epoch.
 */
function sentAt({ change, record }: Processed): number {
  const { sentAt } = change as { sentAt?: string | null }
  return typeof sentAt === 'string'
    ? millisecondsOf(sentAt)
    : Number(record.attributes.SentTimestamp)
}
