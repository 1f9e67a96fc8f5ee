import { globalNameOf, nameOf } from './stage-names.ts'

export type Metric = {
  readonly namespace: string
  readonly metricName: string
  readonly dimensions: Readonly<Record<string, $util.Input<string>>>
  readonly stat: string
}

/** The text of an alarm, and the anchor of its paragraph in the runbook. */
type Described = {
  readonly description: string
  readonly heading: string
  /** Whether the alarm wakes somebody. Other alarms can wait until tomorrow. */
  readonly pages?: boolean
}

type Measured = Described & {
  readonly metrics?: Readonly<Record<string, Metric>>
  /** Uses the ids of the metrics, or is a query of Metrics Insights. Left out: the only metric. */
  readonly expression?: string
}

/** Rings when enough of the last measurements are above a limit: `in: [3, 5]` is 3 of 5. */
export type Alarm = Measured & {
  readonly rings: {
    readonly above: number
    readonly in: readonly [above: number, of: number]
    /** Seconds of one measurement; a minute unless told. */
    readonly period?: number
  }
}

/** What the service promises for a month: the measured share is at most `percent`. */
export type Budget = Measured & { readonly percent: number }

/**
 * Rings when a budget burns `rate` times faster than it may, over the last `long` seconds and over
 * the last `short` ones (Google's SRE workbook, "Alerting on SLOs").
 */
export type Burn = {
  /** The end of the alarm's name, after the name of the budget. */
  readonly suffix: string
  readonly rate: number
  readonly long: number
  readonly short: number
  readonly pages: boolean
  /** How long the budget lasts at this rate. */
  readonly lasts: string
}

/** An alarm about what AWS reports by an event, not by a metric. */
export type EventAlarm = Described & { readonly pattern: object }

export type NamedAlarm = { readonly name: $util.Output<string> }

export type AlarmTarget = {
  /** ARNs of the topics that an alarm tells. A part of a composite alarm tells none. */
  readonly topics: readonly $util.Input<string>[]
  readonly runbook: string
  /** The provider of the alarm's region, if that is not the region of the stage. */
  readonly provider?: aws.Provider
}

export const described = ({ description, heading }: Described, runbook: string): string =>
  `${description} ${runbook}#${heading}`

export function metricAlarm(
  name: string,
  { topics, runbook, ...options }: AlarmTarget,
  alarm: Alarm,
): aws.cloudwatch.MetricAlarm {
  const { metrics = {}, expression, rings } = alarm
  const { above, in: measurements, period = 60 } = rings
  // A query refers to no other metric, so it has its own period.
  const result = { id: 'result', label: name, returnData: true, ...(!alarm.metrics && { period }) }
  const inputs = {
    name: options.provider ? globalNameOf(name) : nameOf(name),
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
  }
  return new aws.cloudwatch.MetricAlarm(`${name}Alarm`, inputs, options)
}

/** Rings while all (`AND`) or some (`OR`) of its parts ring. */
export function compositeAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  alarm: Described,
  parts: readonly NamedAlarm[],
  operator: 'AND' | 'OR',
): NamedAlarm {
  const names = $util.all(parts.map((part) => part.name))
  const made = new aws.cloudwatch.CompositeAlarm(`${name}Alarm`, {
    alarmName: nameOf(name),
    alarmDescription: described(alarm, runbook),
    alarmRule: names.apply((all) => all.map((each) => `ALARM("${each}")`).join(` ${operator} `)),
    alarmActions: [...topics],
    okActions: [...topics],
  })
  return { name: made.alarmName }
}

/** Rings while the budget burns too fast over both the long and the short time. */
export function budgetAlarm(
  name: string,
  target: AlarmTarget,
  { percent, ...budget }: Budget,
  { suffix, rate, long, short, lasts }: Burn,
): NamedAlarm {
  const fullName = name + suffix
  const alarm = { ...budget, description: `${budget.description} within ${lasts}.` }
  const parts = Object.entries({ Long: long, Short: short }).map(([window, period]) => {
    const rings = { above: rate * percent, in: [1, 1], period } as const
    return metricAlarm(fullName + window, { ...target, topics: [] }, { ...alarm, rings })
  })
  return compositeAlarm(fullName, target, alarm, parts, 'AND')
}

/** @param roleOf returns the role with which EventBridge tells a topic, if it needs one */
export function eventAlarm(
  name: string,
  { topics, runbook }: AlarmTarget,
  alarm: EventAlarm,
  roleOf: (topic: $util.Input<string>) => { readonly roleArn?: $util.Input<string> },
): void {
  const description = described(alarm, runbook)
  const eventPattern = JSON.stringify(alarm.pattern)
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, {
    name: nameOf(name),
    description,
    eventPattern,
  })
  for (const [index, arn] of topics.entries()) {
    const input = JSON.stringify(description)
    const target = { rule: rule.name, arn, input, ...roleOf(arn) }
    new aws.cloudwatch.EventTarget(`${name}Target${index}`, target)
  }
}
