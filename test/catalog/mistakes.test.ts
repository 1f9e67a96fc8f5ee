import { randomBytes } from 'node:crypto'
import { keyOperations } from '@embed-access/core/access/api-key.ts'
import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { parseJson } from '@embed-access/core/json.ts'
import { describe, expect, test } from 'vitest'
import { put, workbook } from '../support/catalog.ts'
import { samples } from './samples.ts'

/** What is wrong with a change, as `pointer reason`. */
function told(change: unknown): string[] {
  const [result] = checkChanges([change])
  if (result?.outcome !== 'refused') return []
  return result.problems.map(({ pointer, reason }) => `${pointer} ${reason}`)
}

const long = (length: number) => 'x'.repeat(length)
const hearts = (count: number) => '💚'.repeat(count)
const folder = { deploymentId: 1, id: 1, name: 'Reports', parentId: null }
const oidc = samples.account[0].oidc as object
const embedUser = { type: 'embedUser', embedTenantName: 'north' }
const time =
  'must be an ISO 8601 date or date-time of a day that exists, such as 2026-01-31 or ' +
  '2026-01-31T12:00:00Z; week and ordinal dates, 24:00 and leap seconds are not taken'
const url =
  'must be an https URL with the name of a host, and without user name, query and fragment ' +
  '(or http on loopback)'
const tenantName =
  'must be 2 to 36 lower-case letters, digits or hyphens, begin with a letter and end with ' +
  'a letter or digit'

/** A number with more digits than JavaScript keeps. */
const longNumber = parseJson('9007199254740993')

const nested = (times: number) => JSON.parse(`${'{"a":'.repeat(times)}{}${'}'.repeat(times)}`)

const notAnObject = ['/data must be an object']
const tooLong = ['/data has identifying fields that are too long for a key']
const noJson = ['/data is no JSON, or nests too deep']
const noHash = 'tokenHash must be a SHA-256 in lower-case hex'

const ending = (kind: string, data: unknown) => ({ kind, op: 'delete', data })
const sync = (idLength: number, letter = 'a') =>
  ending('dbtSync', { deploymentId: 1, syncJobId: letter.repeat(idLength) })

describe('a change is told what is wrong', () => {
  test.each<[unknown, string[]]>([
    ['text', [' must be an object']],
    [null, [' must be an object']],
    [[], [' must be an object']],
    [longNumber, [' must be an object']],
    [{}, ['/kind is required', '/data is required']],
    [{ kind: 'sheet', data: {} }, [`/kind must be one of ${Object.keys(kinds).join(', ')}`]],
    ...[longNumber, [], null, 'x'].map((data): [unknown, string[]] => [
      { kind: 'folder', data },
      notAnObject,
    ]),
    [ending('folder', []), notAnObject],
    [{ kind: 'folder', data: { ...folder, id: 1n } }, noJson],
    [{ kind: 'workbook', data: { meta: nested(100_000) } }, noJson],
    [{ kind: 'folder', data: folder, extra: 1 }, ['/extra is not a known field']],
    [{ kind: 'folder', data: folder, op: 'remove' }, ['/op must be one of put, delete']],
    [{ kind: 'folder', data: folder, revision: 1.5 }, ['/revision must be an integer']],
    [{ kind: 'folder', data: folder, sentAt: 'now' }, [`/sentAt ${time}`]],
    [{ kind: 'folder', data: folder, revision: null, sentAt: '2026-01-01T00:00:00Z' }, []],
    [ending('deployment', { id: 'x' }), ['/data/id must be an integer']],
    [sync(1025, '#'), tooLong],
    // The key 1#dbtSync#… of 2,048 bytes, and of one more.
    [sync(2038), []],
    [sync(2039), tooLong],
    [ending('apiKey', { tokenHash: 'A1'.repeat(32) }), [`/data/${noHash}`]],
    [
      { kind: 'workbook', data: { id: 1, deploymentId: 1 } },
      [
        ...['name', 'meta', 'calculatedFields', 'createdAt', 'updatedAt', 'type'].map(
          (field) => `/data/${field} is required`,
        ),
      ],
    ],
    // As many characters as each name may have, of four bytes each.
    [
      { kind: 'user', data: { ...samples.user[0], accountId: hearts(200), email: hearts(320) } },
      tooLong,
    ],
    [
      {
        kind: 'recipient',
        data: { ...samples.recipient[1], recipient: { ...embedUser, externalId: hearts(256) } },
      },
      tooLong,
    ],
  ])('with it as a whole (%#)', (change, expected) => {
    expect(told(change)).toEqual(expected)
  })

  test.each<[keyof typeof samples, object, string]>([
    ['account', { id: '' }, 'id must have at least 1 character'],
    ['account', { oidc: { ...oidc, issuer: 'http://x.test' } }, `oidc/issuer ${url}`],
    ['account', { oidc: { ...oidc, issuer: 'https://me@x.test' } }, `oidc/issuer ${url}`],
    ['user', { roles: ['a', 1] }, 'roles/1 must be a string'],
    ['user', { deploymentIds: 'some' }, 'deploymentIds must be "all" or a list of at most 400 ids'],
    ['user', { deploymentIds: Array(401).fill(1) }, 'deploymentIds must have at most 400 entries'],
    ['apiKey', { tokenHash: 'A1'.repeat(32) }, noHash],
    ['apiKey', { tokenHash: `x${'a1'.repeat(32)}` }, noHash],
    ['apiKey', { tokenHash: `${'a1'.repeat(32)}0` }, noHash],
    ['apiKey', { operations: [] }, 'operations must name an operation, or be left out'],
    [
      'apiKey',
      { operations: ['generate-sesion'] },
      `operations/0 must be one of ${keyOperations.join(', ')}`,
    ],
    ['deployment', { id: -1 }, 'id must be an integer of at least 0'],
    ['group', { name: 'system:x' }, 'name must not begin with system:, which is reserved'],
    ['tenantGroup', { embedTenantName: 'n' }, `embedTenantName ${tenantName}`],
    [
      'attributeDefinition',
      { type: 'number', defaultValue: 'x' },
      'defaultValue must be a number, or its text, since its type is number',
    ],
    [
      'attributeDefinition',
      { type: 'number_array', defaultValue: `[${Array(30).fill('1e15')}]` },
      'defaultValue must have at most 500 characters as JSON',
    ],
    ['folder', { tenantName: 'x' }, 'tenantName is not a known field'],
    ['folder', { 'a/b~': 1 }, 'a~1b~0 is not a known field'],
    ['folder', { id: longNumber }, 'id must be an integer within ±(2^53 - 1)'],
    [
      'share',
      { resource: { type: 'sheet', id: 1 } },
      'resource/type must be one of workbook, folder',
    ],
    [
      'share',
      { grantee: { type: 'everybody' } },
      'grantee/type must be {type: "embedTenant", name} or {type: "allEmbedUsers"}',
    ],
    ['share', { grantee: { type: 'embedTenant' } }, 'grantee/name is required'],
    [
      'share',
      { grantee: { type: 'allEmbedUsers', name: 'x' } },
      'grantee/name is not a known field',
    ],
    [
      'recipient',
      { recipient: { type: 'user', userid: 1, userId: 1 } },
      'recipient/userid is not a known field; the nearest one is userId',
    ],
    [
      'recipient',
      { recipient: { ...embedUser, externalId: ' ' } },
      'recipient/externalId must not be blank',
    ],
    [
      'recipient',
      { recipient: { ...embedUser, externalId: 'm\ufffdller' } },
      'recipient/externalId must not contain U+FFFD, which stands where bytes were not UTF-8',
    ],
    [
      'recipient',
      { recipient: { type: 'robot' } },
      'recipient/type must be {type: "user", userId} or {type: "embedUser", ' +
        'embedTenantName, externalId}',
    ],
    ['dbtSync', { startedAt: 'x' }, `startedAt ${time}`],
    [
      'dbtSync',
      { status: 'x' },
      'status must be one of RUNNING, COMPLETED, FAILED, CANCELLED, UNKNOWN',
    ],
    [
      'notification',
      { filters: [{ value: { a: 1 } }] },
      'filters/0/value must be a string, a number, true, false, or a list of these and of nulls',
    ],
  ])('with its %s (%#)', (kind, wrong, expected) => {
    const data = { ...(samples[kind][0] as object), ...wrong }
    expect(told({ kind, data })).toEqual([`/data/${expected}`])
  })

  // A million issues would take most of the memory of the queue's function.
  test('with a list of mistakes, until there are 150,000', () => {
    const position = { x: 0, y: 0, w: 0, h: 0 }
    const wrong = { id: 1, type: 'TEXT', position }
    const counted = (widgets: unknown[]) => told(workbook(1, 1, { dashboardDraft: { widgets } }))
    const more = (count: number) => `/data has ${count} more problems`
    expect(counted(Array(15_000).fill(wrong)).at(-1)).toBe(more(14_900))
    expect(counted(Array(350_000).fill({})).at(-1)).toBe(more(149_900))
  })

  test('with a document that is too large, even when compressed', () => {
    const random = randomBytes(400_000).toString('base64')
    expect(told(workbook(1, 1, { meta: { random } }))).toEqual([
      expect.stringMatching(/^\/data the compressed document has \d{6} bytes; the limit is \d{6}$/),
    ])
  })

  test('with a notification whose lists have grown too large as text', () => {
    const sized = (bytes: number) => {
      const data = { deploymentId: 1, id: 1, createdAt: '2026-01-01', timezone: '' }
      const lists = [{ value: Array(40_000).fill('a') }]
      const text = [{ value: JSON.stringify(lists[0]?.value) }]
      const stored = JSON.stringify({ ...data, filters: text }).length
      return put('notification', { ...data, filters: lists, timezone: long(bytes - stored) })
    }
    expect(told(sized(262_144))).toEqual([])
    expect(told(sized(262_145))).toEqual([
      '/data the stored document has 262145 bytes; the limit is 262144',
    ])
  })

  test('with few of many mistakes below a long name, and with their number', () => {
    const numbers = { ...Array(90).fill(Infinity) }
    const problems = told(put('workbook', { meta: { [long(2600)]: numbers } }))
    expect(problems.join('').length).toBeLessThan(17_000)
    // Besides, seven fields are missing.
    const pattern = /^\/data has (\d+) more problems$/
    expect(Number(pattern.exec(problems.at(-1) ?? '')?.[1]) + problems.length - 1).toBe(97)
  })

  test.each([
    ['group', 'description', 65_536],
    ['dbtSync', 'errorMessage', 262_144],
  ] as const)('with a %s of a byte more than there may be', (kind, field, most) => {
    const sized = (bytes: number) => {
      const data = { ...samples[kind][0], [field]: '' }
      return { kind, data: { ...data, [field]: long(bytes - JSON.stringify(data).length) } }
    }
    expect(told(sized(most))).toEqual([])
    expect(told(sized(most + 1))).toEqual([
      expect.stringMatching(`has ${most + 1} bytes; the limit is ${most}$`),
    ])
  })
})
