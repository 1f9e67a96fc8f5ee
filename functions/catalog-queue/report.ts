import { kindOf } from '@embed-access/core/catalog/kinds.ts'
import { inGroups } from '@embed-access/core/storage/in-groups.ts'
import { millisecondsOf } from '@embed-access/core/time.ts'
import type { Runtime } from '../runtime/definition.ts'
import { logMetrics, type MetricName } from '../runtime/metrics.ts'
import type { Processed } from './apply-messages.ts'

/** The most values of one metric that CloudWatch takes from one line. */
const maxValues = 100

/** The most characters about a field that was left out. Lambda cuts a line at 256 KB. */
const maxLength = 200

/**
 * Writes lines about the changes of a batch. CloudWatch makes metrics from them:
 *
 *   changes          how many, by kind and outcome
 *   changesRefused   how many, of all kinds together
 *   lag              milliseconds from when a change was sent until it was applied
 *   fieldsLeftOut    how many fields of changes were left out
 *
 * The first failure of a batch has a line too: its dead letter comes 40 minutes later.
 */
export function report(runtime: Runtime, requestId: string, done: readonly Processed[]): void {
  const time = runtime.now()
  const write = (counted: Partial<Record<MetricName, number | number[]>>, more: object = {}) =>
    logMetrics(runtime, time, { level: 'info', requestId, ...more, ...counted })

  const groups = Map.groupBy(done, (each) => `${kindNameOf(each)} ${each.result.outcome}`)
  for (const [group, { length: changes }] of groups) {
    const [kind, outcome] = group.split(' ')
    write({ changes, ...(outcome === 'refused' && { changesRefused: changes }) }, { kind, outcome })
  }
  const failure = done.map(({ result }) => result).find((result) => result.outcome === 'failed')
  if (failure) {
    const { reason: message, cause } = failure
    runtime.log({ level: 'error', requestId, message, stack: Object(cause).stack })
  }
  const applied = done.filter(({ result }) => result.outcome === 'applied')
  const lags = applied.map((each) => Math.max(0, time - sentAt(each)))
  for (const lag of inGroups(lags, maxValues)) write({ lag })
  const leftOut = done.flatMap((each) => {
    const problems = 'leftOut' in each.result ? (each.result.leftOut ?? []) : []
    const texts = problems.map(({ pointer, reason }) => `${kindNameOf(each)} ${pointer} ${reason}`)
    return texts.map((text) => text.slice(0, maxLength).toWellFormed())
  })
  if (leftOut.length === 0) return
  const fields = [...new Set(leftOut)].slice(0, maxValues)
  write({ fieldsLeftOut: leftOut.length }, { level: 'warn', fields })
}

/** Each kind is a metric, which costs money. So a kind that does not exist counts as unknown. */
const kindNameOf = ({ change }: Processed): string => kindOf(Object(change))?.name ?? 'unknown'

/**
 * When a change was sent, in milliseconds since the epoch. If the change does not say so, this is
 * when its message came into the queue.
 */
function sentAt({ change, record }: Processed): number {
  const { sentAt } = Object(change)
  return typeof sentAt === 'string'
    ? millisecondsOf(sentAt)
    : Number(record.attributes.SentTimestamp)
}
