import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { periodOf } from './alarms.ts'
import { evaluated, type Inputs } from './suite.ts'

/**
 * One measurement of five is enough, unless the row says more.
 * @example windowIn('in 2 of 3 periods of 5 minutes, …') // '2 of 3 times 5'
 */
function windowIn(fires: string): string {
  const [, all] = /^for (\d) minutes/.exec(fires) ?? []
  if (all) return `${all} of ${all} times 1`
  const [, measurements = '1 of 5', minutes = 1] =
    /^in (\d+ of \d+) (?:periods of (\d) )?minutes/.exec(fires) ?? []
  return `${measurements} times ${minutes}`
}

test('the runbook has a row and a paragraph for each alarm, with the alarm’s numbers', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8')
  const anchors = (runbook.match(/^## .*/gm) ?? []).map((heading) =>
    heading.slice(3).toLowerCase().replaceAll(' ', '-'),
  )
  const rows = [...runbook.matchAll(/^\| (?:\*\*)?\[`(\w+)`\]\(#([\w-]+)\)(?:\*\*)? \| (.*) \|$/gm)]
  const alarms: Inputs[] = evaluated.own.resources.flatMap(({ type, inputs }) => {
    const { alarmDescription, description = alarmDescription, alarmName, name = alarmName } = inputs
    return /Alarm$|eventRule:/.test(type) && description
      ? [{ ...inputs, description, name: name.split('-')[3] }]
      : []
  })
  const told = alarms.filter(({ name }) => !/Budget(Slowly)?(Long|Short)$/.test(name))
  const whole = told.map(({ name, description }) => [name, description.split('#').at(-1)])
  expect(rows.map(([, name, anchor]) => [name, anchor]).sort()).toEqual(
    [...whole, ['MonthlyBudget', 'monthly-budget']].sort(),
  )
  // Each message says something else than the others.
  const messages = told.map(({ description }) => description.replace(/ \S+$/, ''))
  expect(new Set(messages).size).toBe(messages.length)
  let window = ''
  for (const [, name, anchor, fires = ''] of rows) {
    expect(anchors).toContain(anchor)
    const alarm = alarms.find(
      (each) => 'threshold' in each && each.name.replace(/Short$/, '') === name,
    )
    const { datapointsToAlarm, evaluationPeriods, threshold, metricQueries } = alarm ?? {}
    const queries = JSON.stringify(metricQueries)
    if (fires !== 'the same for writes') window = windowIn(fires)
    if (alarm?.metricQueries && !name?.includes('Budget')) {
      const minutes = periodOf(alarm) / 60
      // A value of a day counts once.
      expect(`${datapointsToAlarm} of ${evaluationPeriods} times ${minutes}`, name).toBe(
        minutes === 1440 ? '1 of 1 times 1440' : window,
      )
    }
    const [, least] = /at least (\d+)$/.exec(fires) ?? []
    if (least) expect(queries, name).toContain(` >= ${least}, `)
    const [, above, unit = ''] =
      /(?:more than|exceeds) ([\d.]+)(?: (s|minutes|% of the account)\b)?/.exec(fires) ?? []
    const message = told.find((each) => each.name === name)?.description
    for (const number of name?.includes('Budget') ? [] : [above, least])
      if (number) expect(message).toMatch(new RegExp(`(than|least) ${number}\\b`))
    if (above)
      expect(threshold, name).toBeCloseTo(
        // The stage reserves 100 of 1,000 executions.
        unit.startsWith('%')
          ? 100 + 9 * Number(above)
          : Number(above) * ({ s: 1000, minutes: 60 }[unit] ?? 1),
        9,
      )
  }
})
