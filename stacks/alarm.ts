import { globalNameOf, nameOf } from './stage-names.ts'

export type Dimensions = Record<string, $util.Input<string>>

export type Metric = {
  namespace: string
  metricName: string
  dimensions: Dimensions
  stat: string
}

/** The text of an alarm, and the anchor of its paragraph in the runbook. */
type Described = {
  description: string
  heading: string
  /** Whether it wakes somebody. Others can wait until tomorrow. */
  wakes?: boolean
}

type Measured = Described & {
  metrics?: Record<string, Metric>
  /** Uses the ids of the metrics, or is a query of Metrics Insights. Left out: the only metric. */
  expression?: string
}

/** Rings when enough of the last measurements are above a limit: `in: [3, 5]` is 3 of 5. */
export type Alarm = Measured & {
  rings: {
    above: number
    in: readonly [above: number, of: number]
    /** Seconds of one measurement; a minute unless told. */
    period?: number
    /** Without measurements it goes on as it is. Other alarms stop then. */
    stays?: boolean
  }
}

/** What the service promises for a month: the measured share is at most `percent`. */
export type Budget = Omit<Measured, 'heading'> & { percent: number }

/**
 * Rings when a budget burns `rate` times faster than it may, over the last `long` seconds and over
 * the last `short` ones (Google's SRE workbook, "Alerting on SLOs").
 */
export type Burn = {
  /** The end of the alarm's name, after the name of the budget. */
  suffix: string
  rate: number
  long: number
  short: number
  wakes: boolean
  /** How long the budget lasts at this rate. */
  lasts: string
}

export type EventAlarm = Described & { pattern: object }

export type NamedAlarm = { name: $util.Output<string> }

export type AlarmTarget = {
  /** ARNs of the topics that an alarm tells. The two parts of a budget's alarm tell none. */
  topics: readonly $util.Input<string>[]
  runbook: string
  /** The provider of the alarm's region, if that is not the region of the stage. */
  provider?: aws.Provider
}

export const described = ({ description, heading }: Described, runbook: string): string =>
  `${description} ${runbook}#${heading}`

export function metricAlarm(
  name: string,
  { topics, runbook, ...options }: AlarmTarget,
  alarm: Alarm,
): aws.cloudwatch.MetricAlarm {
  const { metrics = {}, expression, rings } = alarm
  const { above, period = 60, stays } = rings
  const [datapointsToAlarm, evaluationPeriods] = rings.in
  // Without metrics the expression is a query, which has its own period.
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
    datapointsToAlarm,
    evaluationPeriods,
    treatMissingData: stays ? 'ignore' : 'notBreaching',
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
  const usedUp = `so often that the month's ${percent} % are used up within ${lasts}.`
  const alarm = { ...budget, heading: 'budgets', description: `${budget.description} ${usedUp}` }
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
  roleOf: (topic: $util.Input<string>) => { roleArn?: $util.Input<string> },
): void {
  const description = described(alarm, runbook)
  const rule = new aws.cloudwatch.EventRule(`${name}Rule`, {
    name: nameOf(name),
    description,
    eventPattern: JSON.stringify(alarm.pattern),
  })
  for (const [index, arn] of topics.entries()) {
    const target = { rule: rule.name, arn, input: JSON.stringify(description), ...roleOf(arn) }
    new aws.cloudwatch.EventTarget(`${name}Target${index}`, target)
  }
}
