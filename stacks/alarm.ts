/** A number that CloudWatch keeps. */
export type Metric = {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: Readonly<Record<string, $util.Input<string>>>
  readonly stat: string
}

/** Its text, and the heading of its paragraph in the runbook. */
type Described = { readonly description: string; readonly heading: string }

/** An alarm over one metric, over an expression of several by their ids, or over a query of Metrics Insights. */
export type Alarm = Described & {
  readonly metrics?: Readonly<Record<string, Metric>>
  /** Left out: the metric itself. */
  readonly expression?: string
  /** It rings above this. */
  readonly threshold: number
  /** Seconds of one measurement; a minute unless told. */
  readonly period?: number
  /** How many of the last measurements must be above the threshold: `[3, 5]` for three of five. */
  readonly measurements: readonly [above: number, of: number]
}

/** Whom an alarm tells: ARNs of topics. None, for an alarm that is part of another. */
export type AlarmTarget = { readonly topics: readonly $util.Input<string>[]; readonly runbook: string }

/** @example described({ description: 'Slow.', heading: 'Slow requests' }, 'docs/operations.md') // 'Slow. docs/operations.md#slow-requests' */
export const described = ({ description, heading }: Described, runbook: string): string =>
  `${description} ${runbook}#${heading.toLowerCase().replaceAll(' ', '-')}`

export const alarmName = (name: string): string => `${$app.name}-${$app.stage}-${name}`

export function metricAlarm(name: string, target: AlarmTarget, alarm: Alarm): aws.cloudwatch.MetricAlarm {
  const { metrics, expression, threshold, period = 60, measurements } = alarm
  // A query takes no metrics of others, so it says its period itself.
  const result = { id: 'result', label: name, returnData: true, ...(!metrics && { period }) }
  return new aws.cloudwatch.MetricAlarm(`${name}Alarm`, {
    name: alarmName(name),
    alarmDescription: described(alarm, target.runbook),
    metricQueries: [
      ...Object.entries(metrics ?? {}).map(([id, metric]) => ({
        id,
        metric: { ...metric, period },
        returnData: expression === undefined,
      })),
      ...(expression === undefined ? [] : [{ ...result, expression }]),
    ],
    comparisonOperator: 'GreaterThanThreshold',
    threshold,
    evaluationPeriods: measurements[1],
    datapointsToAlarm: measurements[0],
    treatMissingData: 'notBreaching',
    alarmActions: [...target.topics],
    okActions: [...target.topics],
  })
}

/** What the service promises for a month. Its threshold says how fast the promise may be used up. */
export type Budget = Omit<Alarm, 'period' | 'measurements'>

/** Rings when the month's budget goes too fast: over an hour, and still within the last five minutes. */
export function budgetAlarm(name: string, { topics, runbook }: AlarmTarget, budget: Budget): void {
  const part = (window: string, period: number) =>
    metricAlarm(name + window, { topics: [], runbook }, { ...budget, period, measurements: [1, 1] })
  const [hour, minutes] = [part('Hour', 3600), part('Minutes', 300)]
  new aws.cloudwatch.CompositeAlarm(`${name}Alarm`, {
    alarmName: alarmName(name),
    alarmDescription: described(budget, runbook),
    alarmRule: $interpolate`ALARM("${hour.name}") AND ALARM("${minutes.name}")`,
    alarmActions: [...topics],
    okActions: [...topics],
  })
}

/** What AWS tells by an event and not by a metric. */
export type EventAlarm = Described & { readonly pattern: object }

export function eventAlarm(name: string, { topics, runbook }: AlarmTarget, alarm: EventAlarm): void {
  const description = described(alarm, runbook)
  const eventPattern = JSON.stringify(alarm.pattern)
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, { name: alarmName(name), description, eventPattern })
  for (const [index, arn] of topics.entries()) {
    const input = JSON.stringify(description)
    new aws.cloudwatch.EventTarget(`${name}Target${index}`, { rule: rule.name, arn, input })
  }
}
