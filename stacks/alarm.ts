export type Metric = {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: Readonly<Record<string, $util.Input<string>>>
  readonly stat: string
}

/** What it tells, and the anchor of its paragraph in the runbook. */
type Described = { readonly description: string; readonly heading: string }

type Measured = Described & {
  readonly metrics?: Readonly<Record<string, Metric>>
  /** Of the metrics by their ids, or a query of Metrics Insights. Left out: the metric itself. */
  readonly expression?: string
}

/**
 * It rings when so many of the last measurements are above this, `in: [3, 5]` for three of five.
 */
export type Alarm = Measured & {
  readonly rings: {
    readonly above: number
    readonly in: readonly [above: number, of: number]
    /** Seconds of one measurement; a minute unless told. */
    readonly period?: number
  }
}

/** What the service promises for a month. It rings when the promise is used up faster than this. */
export type Budget = Measured & { readonly above: number }

/** What AWS tells by an event and not by a metric. */
export type EventAlarm = Described & { readonly pattern: object }

/** Whom an alarm tells: ARNs of topics. None, for an alarm that is part of another. */
export type AlarmTarget = {
  readonly topics: readonly $util.Input<string>[]
  readonly runbook: string
}

export const alarmName = (name: string): string => `${$app.name}-${$app.stage}-${name}`

export const described = ({ description, heading }: Described, runbook: string): string =>
  `${description} ${runbook}#${heading}`

export function metricAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  alarm: Alarm,
): aws.cloudwatch.MetricAlarm {
  const { metrics = {}, expression, rings } = alarm
  const { above, in: measurements, period = 60 } = rings
  // A query takes no metrics of others, so it says its period itself.
  const result = { id: 'result', label: name, returnData: true, ...(!alarm.metrics && { period }) }
  return new aws.cloudwatch.MetricAlarm(`${name}Alarm`, {
    name: alarmName(name),
    alarmDescription: described(alarm, runbook),
    metricQueries: [
      ...Object.entries(metrics).map(([id, metric]) => ({
        id,
        metric: { ...metric, period },
        returnData: !expression,
      })),
      ...(expression ? [{ ...result, expression }] : []),
    ],
    comparisonOperator: 'GreaterThanThreshold',
    threshold: above,
    datapointsToAlarm: measurements[0],
    evaluationPeriods: measurements[1],
    treatMissingData: 'notBreaching',
    alarmActions: [...topics],
    okActions: [...topics],
  })
}

/**
 * Rings when the month's budget goes too fast: over an hour, and still within the last five
 * minutes.
 */
export function budgetAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  { above, ...budget }: Budget,
): void {
  const part = (window: string, period: number) =>
    metricAlarm(
      name + window,
      { topics: [], runbook },
      { ...budget, rings: { above, in: [1, 1], period } },
    )
  const [hour, minutes] = [part('Hour', 3600), part('Minutes', 300)]
  new aws.cloudwatch.CompositeAlarm(`${name}Alarm`, {
    alarmName: alarmName(name),
    alarmDescription: described(budget, runbook),
    alarmRule: $interpolate`ALARM("${hour.name}") AND ALARM("${minutes.name}")`,
    alarmActions: [...topics],
    okActions: [...topics],
  })
}

export function eventAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  alarm: EventAlarm,
): void {
  const description = described(alarm, runbook)
  const eventPattern = JSON.stringify(alarm.pattern)
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, {
    name: alarmName(name),
    description,
    eventPattern,
  })
  for (const [index, arn] of topics.entries()) {
    const input = JSON.stringify(description)
    new aws.cloudwatch.EventTarget(`${name}Target${index}`, { rule: rule.name, arn, input })
  }
}
