import type { LogEntry, Runtime } from './definition.ts'

export const metricNamespace = 'EmbedAccess'

const count = { unit: 'Count', dimensions: [['issuer']] } as const

/**
 * Every metric that the functions make: its unit and its dimensions. Each combination of their
 * values costs money. The issuer tells the stages of an AWS account apart. The dashboard or an
 * alarm shows each metric.
 */
export const metrics = {
  sessionsMade: count,
  sessionsRedeemed: count,
  redemptionsRefused: { unit: 'Count', dimensions: [['issuer', 'reason']] },
  /** Capacity units of an invocation. */
  units: count,
  coldStarts: count,
  /** Items of a page. There are as many samples as pages. */
  pageItems: count,
  /**
   * For how many days the active key has signed. There are as many samples as redeemed sessions.
   */
  signingKeyDays: count,
  changes: { unit: 'Count', dimensions: [['issuer', 'kind', 'outcome']] },
  changesRefused: count,
  /** The time from when a change was sent until it was applied. */
  lag: { ...count, unit: 'Milliseconds' },
  fieldsLeftOut: count,
} as const

export type MetricName = keyof typeof metrics

/**
 * Writes a line of the log. CloudWatch makes metrics of the fields with these names whose value is
 * a number, or up to 100 of them (its embedded metric format).
 * @param time milliseconds since the epoch
 */
export function logMetrics(
  { log, issuer }: Pick<Runtime, 'log' | 'issuer'>,
  time: number,
  line: LogEntry,
): void {
  const named = Object.entries(metrics).filter(([name]) => {
    const value = line[name]
    return typeof (Array.isArray(value) ? value[0] : value) === 'number'
  })
  const CloudWatchMetrics = Array.from(
    Map.groupBy(named, ([, { dimensions }]) => dimensions),
    ([Dimensions, same]) => ({
      Namespace: metricNamespace,
      Dimensions,
      Metrics: same.map(([Name, { unit: Unit }]) => ({ Name, Unit })),
    }),
  )
  const counted = named.length > 0 && { _aws: { Timestamp: time, CloudWatchMetrics } }
  log({ ...line, time: new Date(time).toISOString(), issuer, ...counted })
}
