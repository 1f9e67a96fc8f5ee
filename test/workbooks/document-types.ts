import { parse } from '@embed-access/core/catalog/parse.ts'
import { parseJson } from '@embed-access/core/json.ts'
import { expect } from 'vitest'
import { samples } from '../catalog/samples.ts'

/** A number with more digits than JavaScript keeps. */
const longNumber = parseJson('9007199254740993')

/** An object in an object, so many in all. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })

type Wrong = readonly [value: unknown, message: string, within?: string]

/** By type: a wrong value and what is told about it. */
export const wrong: Readonly<Record<string, readonly Wrong[]>> = {
  id: [[-1, 'must be an integer of at least 0']],
  integer: [
    [1.5, 'must be an integer'],
    [2 ** 53, 'must be an integer within ±(2^53 - 1)'],
    [longNumber, 'must be an integer within ±(2^53 - 1)'],
  ],
  number: [
    ['7', 'must be a number'],
    [Number.POSITIVE_INFINITY, 'must be a finite number'],
  ],
  text: [[5, 'must be a string']],
  boolean: [['yes', 'must be true or false']],
  time: [['soon', expect.stringContaining('must be an ISO 8601 date') as string]],
  object: [
    [5, 'must be an object'],
    [longNumber, 'must be an object'],
    [[], 'must be an object'],
  ],
  freeForm: [
    [[], 'must be an object'],
    [longNumber, 'must be an object'],
    [{ a: [1, { b: Number.POSITIVE_INFINITY }] }, 'must be a finite number', '/a/1/b'],
    [nested(65), 'must not be nested more than 64 deep', '/a'.repeat(64)],
  ],
  texts: [
    [[], 'must be an object'],
    [longNumber, 'must be an object'],
    [{ a: 1 }, 'must be a string', '/a'],
    [{ a: 'x', b: 'x\ud800' }, 'must be well-formed Unicode', '/b'],
  ],
  list: [[{}, 'must be a list']],
  'text or object': [[5, 'must be a string or an object']],
  'text of 1 to 255': [
    ['', 'must have at least 1 character'],
    ['x'.repeat(256), 'must have at most 255 characters'],
  ],
  'text of 0 to 255': [['x'.repeat(256), 'must have at most 255 characters']],
  formats: [
    ['x', 'must be an object'],
    [{ a: 1 }, 'must be an object', '/a'],
    [{ a: {} }, 'is required', '/a/type'],
    [{ a: { type: 'text' } }, 'must be one of currency, percent, number', '/a/type'],
    [{ a: { type: 'number', decimalPlaces: 'x' } }, 'must be an integer', '/a/decimalPlaces'],
  ],
}

const breakpoints = ['lg', 'md', 'sm', 'xs', 'xxs']
const position = 'x: integer; y: integer; w: integer; h: integer'

const configAt = (at: string): [string, string][] => [
  [
    at,
    `app: object|null; description: text|null; kind: CLASSIC, APP|null; layout: object|null
    settings: freeForm|null
    theme: freeForm|null; title: text|null; widgets: list|null`,
  ],
  [
    `${at}/app`,
    'entry: text of 0 to 255|null; files: texts|null; html: text|null; manifest: object|null',
  ],
  [`${at}/app/manifest`, 'dependencies: texts|null; version: integer|null'],
  [
    `${at}/layout`,
    'breakpoints: object|null; cols: object|null; containerPadding: list|null; margin: ' +
      'list|null; rowHeight: integer|null',
  ],
  [`${at}/layout/breakpoints`, breakpoints.map((name) => `${name}: integer|null`).join('; ')],
  [`${at}/layout/cols`, breakpoints.map((name) => `${name}: integer|null`).join('; ')],
  [`${at}/layout/margin`, '0: integer'],
  [`${at}/layout/containerPadding`, '1: integer'],
  [
    `${at}/widgets/0`,
    `id: text; position: object; config: freeForm|null; responsiveLayouts: object?
    style: freeForm|null
    type: CHART, TEXT, FILTER, AI, TIME_GRAIN, FIELD, PARENT, SPACER, DIVIDER, CONTAINER`,
  ],
  [`${at}/widgets/0/position`, position],
  [
    `${at}/widgets/0/responsiveLayouts`,
    breakpoints.map((name) => `${name}: object|null`).join('; '),
  ],
  [`${at}/widgets/0/responsiveLayouts/lg`, position],
]

const report = '/publishedDashboard/reportSnapshots/0'

/**
 * Objects of a workbook's document, with the types of their fields
 * (docs/specification.md#resources-and-their-fields). A field that may be left out has a `?`, one
 * that may be null too has `|null`; null there counts as left out.
 */
const table: readonly [string, string][] = [
  [
    '',
    `id: id; deploymentId: id; name: text; meta: freeForm; calculatedFields: freeForm
    createdAt: time; updatedAt: time
    type: FOLDER, WORKBOOK, REPORT; createdBy: integer?; dashboardDraft: object|null
    dashboardPublished: object|null
    folderId: id|null; folderPath: list?; isFavorite: boolean|null
    promotion: freeForm|null; publishedDashboard: object|null; slug: text|null
    user: object|null; userId: number|null`,
  ],
  ['/folderPath/0', 'id: id; name: text'],
  ['/user', 'id: id; email: text; firstName: text|null; picture: text|null'],
  ...configAt('/dashboardDraft'),
  ...configAt('/dashboardPublished').slice(0, 1),
  ...configAt('/publishedDashboard/config').slice(0, 1),
  [
    '/publishedDashboard',
    `id: id; publicId: text of 1 to 255; deploymentId: id; workbookId: id
    status: draft, published, archived
    allowEmbed: boolean; config: object; versionNumber: integer; versionId: integer
    reportSnapshots: list
    createdBy: integer|null; description: text|null; fromSharedWorkspace: boolean|null
    title: text|null
    restrictDataDownload: boolean|null; useBoardDashboards: boolean|null`,
  ],
  [
    report,
    `id: id; reportId: id; versionNumber: integer; publicId: text|null; description: text|null
    fillMissingRows: object|null
    isSourceReport: boolean|null; kind: vega, table, kpi, html, map, sankey|null
    meta: freeForm|null; name: text|null
    periodComparisons: list|null; preferences: object|null; pythonCode: text|null
    spec: text or object|null
    sqlQuery: text|null; title: text|null`,
  ],
  [`${report}/fillMissingRows`, 'member: text; excludedDimensions: list|null'],
  [`${report}/fillMissingRows/excludedDimensions`, '0: text'],
  [
    `${report}/periodComparisons/0`,
    'measure: text; timeDimension: text; offset: object; outputs: list|null',
  ],
  [`${report}/periodComparisons/0/offset`, 'amount: integer; unit: text'],
  [`${report}/periodComparisons/0/outputs`, '0: text'],
  [`${report}/preferences`, 'columnFormats: formats|null'],
]

export const objects = table.map(([at, fields]): [string, Record<string, string>] => [
  at,
  Object.fromEntries(fields.split(/; |\n */).map((field) => field.split(': '))),
])

const [sample] = samples.workbook
export const whole = { ...sample, folderPath: [{ id: 7, name: 'Reports' }] }

type Json = { [field: string]: unknown }

/** The document with another value at a pointer, or without it. */
export function changed(pointer: string, field: string, change: (at: Json) => void): object {
  const copy = JSON.parse(JSON.stringify(whole)) as Json
  const at = pointer
    .split('/')
    .slice(1)
    .reduce((value, key) => value[key] as Json, copy)
  expect(Object.keys(at)).toContain(field)
  change(at)
  return copy
}

export const told = (data: object) => {
  const parsed = parse({ kind: 'workbook', data })
  return 'problems' in parsed ? parsed.problems.map(({ pointer, reason }) => [pointer, reason]) : []
}
