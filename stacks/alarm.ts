/** A number that CloudWatch keeps, or $util.Output of one. */
export type Metric = $util.Input<{
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: Readonly<Record<string, string>>
}>

/** An alarm over a metric, over an expression of several, or over a query of Metrics Insights. */
export type Alarm = {
  readonly description: string
  /** Of its paragraph in the runbook. */
  readonly heading: string
  readonly metrics: readonly { readonly id: string; readonly metric: Metric; readonly stat: string }[]
  readonly expression: string
  /** It rings above this. */
  readonly threshold: number
  /** Seconds of one measurement; a minute unless told. */
  readonly period?: number
  /** How many of the last measurements must be above the threshold: `[3, 5]` for three of five. */
  readonly measurements: readonly [above: number, of: number]
}

/** Whom an alarm tells: ARNs of topics. None, for an alarm that is part of another. */
export type AlarmTarget = { readonly topics: readonly $util.Input<string>[]; readonly runbook: string }

/** @example described('Slow.', 'Slow requests', 'docs/operations.md') // 'Slow. docs/operations.md#slow-requests' */
export const described = (description: string, heading: string, runbook: string): string =>
  `${description} ${runbook}#${heading.toLowerCase().replaceAll(' ', '-')}`

export const alarmName = (name: string): string => `${$app.name}-${$app.stage}-${name}`

export function alarm(name: string, { topics, runbook }: AlarmTarget, alarm: Alarm): aws.cloudwatch.MetricAlarm {
  const { description, heading, metrics, expression, threshold, period = 60, measurements } = alarm
  const [above, of] = measurements
  // A query takes no metrics of others, so it says its period itself.
  const query = metrics.length === 0 && { period }
  const direct = metrics.length === 1 && expression === metrics[0]?.id
  return new aws.cloudwatch.MetricAlarm(`${name}Alarm`, {
    name: alarmName(name),
    alarmDescription: described(description, heading, runbook),
    metricQueries: [
      ...metrics.map(({ id, metric, stat }) => ({
        id,
        metric: $util.output(metric).apply((metric) => ({ ...metric, period, stat })),
        returnData: direct,
      })),
      ...(direct ? [] : [{ id: 'result', expression, label: name, returnData: true, ...query }]),
    ],
    comparisonOperator: 'GreaterThanThreshold',
    threshold,
    evaluationPeriods: of,
    datapointsToAlarm: above,
    treatMissingData: 'notBreaching',
    alarmActions: [...topics],
    okActions: [...topics],
  })
}
