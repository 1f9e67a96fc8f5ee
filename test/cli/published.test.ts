import { expect, test } from 'vitest'
import { demoChanges, publishedDashboard } from '../support/catalog.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { commanded } from './environment.ts'

const directory = temporaryDirectory()

const demo = demoChanges()
const report = { id: 1, reportId: 2, versionNumber: 1 }
const dashboard = publishedDashboard(1, 5, {
  reportSnapshots: [report, { ...report, preferences: { columnFormats: { tax: null } } }],
})
const pathOfFormat = 'reportSnapshots/1/preferences/columnFormats/tax'
const operators = 'must be one of equals, not_equals, greater_than'
const flag = 'must be left out instead of null'
const day = 'must be such as 2026-01-31 or 2026-01-31T12:00:00Z'
const phase = { phase: 'dbt-deps', outcome: 'ok', durationMs: 1, startedOffsetMs: 0 }

const checking = async (lines: readonly (string | object)[], ...options: string[]) => {
  const file = await fileIn(directory, 'catalog.ndjson', lines)
  return commanded('catalog', ['check', '--published', file, ...options])
}

test.each([
  ['notification', 'dashboardId', undefined, '', 'is required'],
  ['notification', 'cronExpression', null, '', 'is required'],
  ['notification', 'notificationAiSummary', undefined, '', 'is required'],
  ['notification', 'filters', [{ operator: 'equals' }], '/0/member', 'is required'],
  ['notification', 'filters', [{ operator: 'notEquals' }], '/0/operator', operators],
  ['notification', 'filters', [{ caseSensitive: null }], '/0/caseSensitive', flag],
  ['notification', 'timeGrains', [{ member: 'a.b' }], '/0/grain', 'is required'],
  ['notification', 'memberSwitchers', [{}], '/0/member', 'is required'],
  ['dbtSync', 'phases', [phase, { phase: 'x' }], '/1/outcome', 'is required'],
  ['workbook', 'createdAt', '20260131', '', day],
  ['workbook', 'updatedAt', '2026-01-31T12:00:00', '', day],
  ['workbook', 'updatedAt', '2026-01-31T12:00:00+02:00', '', day],
  ['workbook', 'publishedDashboard', dashboard, `/${pathOfFormat}`, 'must be an object'],
])('a %s with %s = %o is refused at it%s: %s', async (kind, field, value, at, what) => {
  const { data } = demo.find((change) => change.kind === kind) ?? {}
  const line = (more: object) => ({ kind, data: { ...data, ...more } })
  const { code, output, said } = await checking([line({}), '', line({ [field]: value })])
  expect([code, output]).toEqual([1, 'Published clients can read 1 line, and would refuse 1.\n'])
  expect(said).toContain(`line 3: /data/${field}${at} ${what}`)
})

test.each(['local/demo', 'cli/catalog/example'])('all lines of %s can be read', async (folder) => {
  const checked = await commanded('catalog', `check --quiet --published ${folder}/catalog.ndjson`)
  expect(checked).toMatchObject({ code: 0, said: '' })
  expect(checked.output).toMatch(/^Published clients can read \d+ lines, and would refuse 0\.\n$/)
})

test('a line is told too that this service refuses, and a deletion is fine', async () => {
  const deleted = { kind: 'notification', op: 'delete', data: { deploymentId: 1, id: 9 } }
  const { code, output } = await checking([deleted, 'no JSON', { kind: 'x', data: {} }], '--json')
  expect([code, JSON.parse(output)]).toEqual([
    1,
    {
      ...{ readable: 1, refused: 2 },
      lines: [
        { line: 2, isWrong: true, text: expect.stringMatching(/^line 2: is not JSON/) },
        { line: 3, isWrong: true, text: expect.stringMatching(/^line 3: \/kind must be one of/) },
      ],
    },
  ])
})
