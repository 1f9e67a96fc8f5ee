import { parse } from '@embed-access/core/catalog/parse.ts'
import { parseJson } from '@embed-access/core/json.ts'
import { describe, expect, test } from 'vitest'
import { samples } from '../catalog/samples.ts'
import { embedTenant, keys, share, workbook, world } from '../support/service.ts'

/** A number with more digits than JavaScript keeps. */
const longNumber = parseJson('9007199254740993')
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
const noObject = ['', 'must be an object']
const tooLarge = ['', 'must be an integer within ±(2^53 - 1)']
const report = '/publishedDashboard/reportSnapshots/0'
const formats = `${report}/preferences/columnFormats`

describe('a workbook’s document', () => {
  /**
   * A field of each type, with wrong values: for each, where in it and what is told.
   * test/contract compares the types of all fields with those of the published API.
   */
  test.each<[field: string, ...wrong: [value: unknown, told: string[]][]]>([
    ['/id', [-1, ['', 'must be an integer of at least 0']], [null, ['', 'must be an integer']]],
    ['/createdBy', [1.5, ['', 'must be an integer']], [2 ** 53, tooLarge], [longNumber, tooLarge]],
    ['/userId', ['7', ['', 'must be a number']], [1 / 0, ['', 'must be a finite number']]],
    ['/slug', [5, ['', 'must be a string']]],
    ['/isFavorite', ['yes', ['', 'must be true or false']]],
    ['/type', ['SHEET', ['', 'must be one of FOLDER, WORKBOOK, REPORT']]],
    ['/user', [5, noObject], [longNumber, noObject], [[], noObject]],
    [
      '/meta',
      ...[[], longNumber, null].map((value): [unknown, string[]] => [value, noObject]),
      [{ a: [1, { b: 1 / 0 }] }, ['/a/1/b', 'must be a finite number']],
      [{ a: ['x', 'x\ud800'] }, ['/a/1', 'must be well-formed Unicode']],
      [{ '\ud800': {} }, ['/\ufffd', 'must be well-formed Unicode']],
      [nested(65), ['/a'.repeat(64), 'must not be nested more than 64 deep']],
    ],
    [
      '/dashboardDraft/app/files',
      [[], noObject],
      [longNumber, noObject],
      [{ a: 1 }, ['/a', 'must be a string']],
      [{ a: 'x', b: 'x\ud800' }, ['/b', 'must be well-formed Unicode']],
      [{ a: 'x', '\udc00': 'x' }, ['', 'must be well-formed Unicode']],
    ],
    ['/dashboardDraft/widgets', [{}, ['', 'must be a list']]],
    ['/dashboardDraft/app/entry', ['x'.repeat(256), ['', 'must have at most 255 characters']]],
    ['/publishedDashboard/publicId', ['', ['', 'must have at least 1 character']]],
    [`${report}/spec`, [5, ['', 'must be a string or an object']]],
    [
      formats,
      ['x', noObject],
      [{ a: 1 }, ['/a', 'must be an object']],
      [{ a: {} }, ['/a/type', 'is required']],
      [{ a: { type: 'text' } }, ['/a/type', 'must be one of currency, percent, number']],
    ],
  ])('is told what is wrong in %s', (field, ...wrong) => {
    const told = (value: unknown) => {
      const data = structuredClone(samples.workbook[0])
      const path = field.split('/').slice(1)
      const last = path.pop() as string
      Object.assign(
        path.reduce((at, key) => at[key] as typeof data, data),
        { [last]: value },
      )
      const parsed = parse({ kind: 'workbook', data })
      return 'problems' in parsed ? parsed.problems.map((each) => [each.pointer, each.reason]) : []
    }
    for (const [value, [within, message]] of wrong)
      expect(told(value)).toEqual([[`/data${field}${within}`, message]])
  })

  const service = world()

  test.each([null, { revision: 3, source: { deploymentId: 2 } }])(
    'is answered with promotion %j, and with the public ids of its reports',
    async (promotion) => {
      const dashboard = {
        ...{ id: 71, publicId: 'p', workbookId: 5, status: 'draft', allowEmbed: true, config: {} },
        ...{ versionNumber: 1, versionId: 1 },
        reportSnapshots: [{ id: 1, reportId: 2, versionNumber: 1, publicId: 'Ab3Ab3Ab3Ab3' }],
      }
      const id = await service.newDeployment((deploymentId) => [
        workbook(deploymentId, 5, {
          promotion,
          publishedDashboard: { ...dashboard, deploymentId },
        }),
        share(deploymentId, 'workbook', 5, embedTenant('north')),
      ])
      const path = `/api/v1/deployments/${id}/embed-tenants/north/workbooks`
      const { status, body } = await service.get(path, { key: keys.admin })
      expect([status, body.items]).toMatchObject([
        200,
        [{ id: 5, promotion, publishedDashboard: dashboard }],
      ])
    },
  )
})
