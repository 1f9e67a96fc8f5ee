import { expect } from 'vitest'
import type { Inputs, Stage } from './suite.ts'

export type Metric = {
  readonly namespace: string
  readonly name: string
  readonly dimensions: Inputs
}

/** Alarms over metrics, except the heartbeat, which is about Route 53's own metric. */
export function alarmsOf({ made }: Stage): Inputs[] {
  const { HeartbeatAlarm: _, ...alarms } = made('cloudwatch:MetricAlarm')
  return Object.values(alarms)
}

export const inAlarm = ({ metricQueries }: Inputs): (Metric & { stat: string })[] =>
  metricQueries.flatMap(({ metric }: Inputs) =>
    metric ? [{ ...metric, name: metric.metricName }] : [],
  )

/** Seconds of a measurement. All numbers of an alarm are of the same ones. */
export function periodOf({ name, metricQueries }: Inputs): number {
  const periods = metricQueries.flatMap(
    ({ period = [], metric }: Inputs) => metric?.period ?? period,
  )
  expect(new Set(periods).size, name).toBe(1)
  return periods[0]
}
