import { expect, test } from 'vitest'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { commanded } from './environment.ts'

const directory = temporaryDirectory()

const notification = {
  ...{ deploymentId: 1, id: 9, createdAt: '20260110T090000Z', dashboardId: 5 },
  ...{ cronExpression: '0 7 * * 1', humanReadableSchedule: 'Mondays', timezone: 'Europe/Oslo' },
  ...{ isEnabled: true, notificationEnabled: true, notificationAiSummary: false },
  notificationFormat: 'pdf',
}
const workbook = {
  ...{ deploymentId: 1, id: 5, name: 'Orders', type: 'WORKBOOK', meta: {}, calculatedFields: {} },
  ...{ createdAt: '2026-01-31', updatedAt: '2026-01-31T12:00:00.123Z' },
}
const dbtSync = {
  ...{ deploymentId: 1, syncJobId: 's', branchName: 'main', source: 'git' },
  ...{ startedAt: '20260110T090000Z', status: 'RUNNING', trigger: 'api' },
}
const report = { id: 1, reportId: 2, versionNumber: 1 }
const dashboard = {
  ...{ id: 5, publicId: 'p', deploymentId: 1, workbookId: 5, status: 'draft', allowEmbed: true },
  ...{ config: {}, versionNumber: 1, versionId: 1 },
  reportSnapshots: [report, { ...report, preferences: { columnFormats: { tax: null } } }],
}
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
  ['notification', notification, 'dashboardId', undefined, '', 'is required'],
  ['notification', notification, 'cronExpression', null, '', 'is required'],
  ['notification', notification, 'notificationAiSummary', undefined, '', 'is required'],
  ['notification', notification, 'filters', [{ operator: 'equals' }], '/0/member', 'is required'],
  ['notification', notification, 'filters', [{ operator: 'notEquals' }], '/0/operator', operators],
  ['notification', notification, 'filters', [{ caseSensitive: null }], '/0/caseSensitive', flag],
  ['notification', notification, 'timeGrains', [{ member: 'a.b' }], '/0/grain', 'is required'],
  ['notification', notification, 'memberSwitchers', [{}], '/0/member', 'is required'],
  ['dbtSync', dbtSync, 'phases', [phase, { phase: 'x' }], '/1/outcome', 'is required'],
  ['workbook', workbook, 'createdAt', '20260131', '', day],
  ['workbook', workbook, 'updatedAt', '2026-01-31T12:00:00', '', day],
  ['workbook', workbook, 'updatedAt', '2026-01-31T12:00:00+02:00', '', day],
  ['workbook', workbook, 'publishedDashboard', dashboard, `/${pathOfFormat}`, 'must be an object'],
])('a %s of %o with %s = %o is refused at it%s: %s', async (kind, data, field, value, at, what) => {
  const line = (more: object) => ({ kind, data: { ...data, ...more } })
  const { code, output, said } = await checking([line({}), '', line({ [field]: value })])
  expect([code, output]).toEqual([1, 'Published clients can read 1 lines, and would refuse 1.\n'])
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
