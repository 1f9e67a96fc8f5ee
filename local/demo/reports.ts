import type { JsonObject } from './change.ts'
import type { Random } from './random.ts'
import type { Dimension, Measure, Subject } from './subjects.ts'

const reportKinds = ['vega', 'table', 'kpi', 'html', 'map', 'sankey'] as const
export type ReportKind = (typeof reportKinds)[number]

type Question = { subject: Subject; measure: Measure; dimension: Dimension; grain: string }

const places = ['region', 'warehouse', 'destination_country', 'clinic']
const placeOf = (subject: Subject): Dimension | undefined => subject.dimensions.find(([name]) => places.includes(name))

/** Only what happens at a place can be put on a map. */
export const reportKindsFor = (subject: Subject): ReportKind[] =>
  reportKinds.filter((kind) => kind !== 'map' || placeOf(subject) !== undefined)

const sqlOf = ({ subject, measure, dimension, grain }: Question, kind: ReportKind): string => {
  const { view, time } = subject
  const measured = `MEASURE(${view}.${measure[0]}) AS ${measure[0]}`
  const since = `WHERE ${view}.${time} >= DATE_TRUNC('month', CURRENT_DATE) - INTERVAL '12 months'`
  if (kind === 'kpi') return `SELECT ${measured}\nFROM ${view}\n${since}`
  if (kind === 'vega' || kind === 'table' || kind === 'sankey') {
    return `SELECT DATE_TRUNC('${grain}', ${view}.${time}) AS ${grain}, ${view}.${dimension[0]}, ${measured}\nFROM ${view}\n${since}\nGROUP BY 1, 2\nORDER BY 1`
  }
  return `SELECT ${view}.${dimension[0]}, ${measured}\nFROM ${view}\n${since}\nGROUP BY 1\nORDER BY 2 DESC\nLIMIT 25`
}

const specOf = ({ measure, dimension, grain }: Question, kind: ReportKind): JsonObject | string => {
  switch (kind) {
    case 'vega':
      return {
        $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
        mark: { type: 'line', point: true },
        encoding: {
          x: { field: grain, type: 'temporal' },
          y: { field: measure[0], type: 'quantitative', title: measure[1] },
          color: { field: dimension[0], type: 'nominal', title: dimension[1] },
        },
      }
    case 'table':
      return { columns: [grain, dimension[0], measure[0]], totals: true }
    case 'kpi':
      return { value: measure[0], label: measure[1], sparkline: true }
    case 'html':
      return `<section><h2>${measure[1]}</h2><ol>{{#rows}}<li>{{${dimension[0]}}}: {{${measure[0]}}}</li>{{/rows}}</ol></section>`
    case 'map':
      return { location: dimension[0], size: measure[0], center: [-41.5, 48.2], zoom: 2 }
    case 'sankey':
      return { source: dimension[0], target: grain, value: measure[0] }
  }
}

/** A report as it was when its dashboard was published. */
export function reportSnapshot(random: Random, subject: Subject, kind: ReportKind, id: number): JsonObject {
  const measure = random.pick(subject.measures)
  const dimension = (kind === 'map' && placeOf(subject)) || random.pick(subject.dimensions)
  const grain = random.pick(['day', 'week', 'month'])
  const question = { subject, measure, dimension, grain }
  const title = kind === 'kpi' ? measure[1] : `${measure[1]} by ${dimension[1]}`
  const snapshot: JsonObject = {
    id,
    reportId: id + 40_000,
    versionNumber: random.integer(1, 9),
    kind,
    name: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    title,
    spec: specOf(question, kind),
    sqlQuery: sqlOf(question, kind),
    preferences: {
      columnFormats: {
        [measure[0]]: { type: measure[2], decimalPlaces: random.pick([0, 1, 2, null]) },
      },
    },
  }
  const timeDimension = `${subject.view}.${subject.time}`
  if (kind === 'kpi' || random.chance(0.15)) {
    snapshot.periodComparisons = [
      {
        measure: `${subject.view}.${measure[0]}`,
        timeDimension,
        offset: random.pick([
          { amount: 1, unit: 'year' },
          { amount: 4, unit: 'week' },
          { amount: 1, unit: 'month' },
        ]),
        outputs: random.pick([['previous', 'change'], ['percentChange'], null]),
      },
    ]
  }
  if (kind === 'vega' && random.chance(0.5)) {
    snapshot.fillMissingRows = {
      member: timeDimension,
      ...(random.chance(0.5) ? { excludedDimensions: [`${subject.view}.${dimension[0]}`] } : {}),
    }
  }
  if (random.chance(0.2)) snapshot.description = `Asked for in the ${random.pick(['Monday', 'quarterly'])} review.`
  if (random.chance(0.2)) snapshot.meta = { rowLimit: random.pick([500, 5000]), certified: random.chance(0.5) }
  if (random.chance(0.1)) snapshot.isSourceReport = true
  if (kind === 'table' && random.chance(0.2)) {
    snapshot.pythonCode = `df["share"] = df["${measure[0]}"] / df["${measure[0]}"].sum()\nresult = df.round(3)`
  }
  if (random.chance(0.05))
    Object.assign(snapshot, { preferences: null, periodComparisons: null, fillMissingRows: null })
  return snapshot
}
