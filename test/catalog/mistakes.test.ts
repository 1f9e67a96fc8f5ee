import { randomBytes } from 'node:crypto'
import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { parseJson } from '@embed-access/core/json.ts'
import { describe, expect, test } from 'vitest'
import { dbtSync, workbook } from '../support/catalog.ts'

/** What is wrong with a change, as `pointer reason`. */
function told(change: unknown): string[] {
  const [result] = checkChanges([change])
  if (result?.outcome !== 'refused') return []
  return result.problems.map(({ pointer, reason }) => `${pointer} ${reason}`)
}

const long = (length: number) => 'x'.repeat(length)
const at = { deploymentId: 1 }
const ofAcme = { accountId: 'acme' }
const folder = { ...at, id: 1, name: 'Reports', parentId: null }
const embedUser = { type: 'embedUser', embedTenantName: 'north' }
const time =
  'must be an ISO 8601 date or date-time of a day that exists, such as 2026-01-31 or 2026-01-31T12:00:00Z; week and ordinal dates, 24:00 and leap seconds are not taken'
const tenantName =
  'must be 2 to 36 lower-case letters, digits or hyphens, begin with a letter and end with a letter or digit'

/** A number with more digits than JavaScript keeps. */
const longNumber = parseJson('9007199254740993')

/** An object in an object, so many times. */
const nested = (times: number) => JSON.parse(`${'{"a":'.repeat(times)}{}${'}'.repeat(times)}`)

const notAnObject = ['/data must be an object']
const tooLong = ['/data names a thing by more than a key can hold']
const noJson = ['/data is no JSON, or nests too deep']
const noHash = ['/data/tokenHash must be a SHA-256 in lower-case hex']

describe('a change is told what is wrong', () => {
  test.each<[unknown, string[]]>([
    ['text', [' must be an object']],
    [null, [' must be an object']],
    [[], [' must be an object']],
    [longNumber, [' must be an object']],
    [{}, ['/kind is required', '/data is required']],
    [{ kind: 'sheet', data: {} }, [`/kind must be one of ${Object.keys(kinds).join(', ')}`]],
    ...[longNumber, [], null, 'x'].map((data): [unknown, string[]] => [{ kind: 'folder', data }, notAnObject]),
    [{ kind: 'folder', op: 'delete', data: [] }, notAnObject],
    [{ kind: 'folder', data: { ...folder, id: 1n } }, noJson],
    [{ kind: 'workbook', data: { meta: nested(100_000) } }, noJson],
    [{ kind: 'folder', data: folder, extra: 1 }, ['/extra is not a known field']],
    [{ kind: 'folder', data: folder, op: 'remove' }, ['/op must be one of put, delete']],
    [{ kind: 'folder', data: folder, revision: 1.5 }, ['/revision must be an integer']],
    [{ kind: 'folder', data: folder, sentAt: 'now' }, [`/sentAt ${time}`]],
    [{ kind: 'folder', data: folder, revision: null, sentAt: '2026-01-01T00:00:00Z' }, []],
    [{ kind: 'deployment', op: 'delete', data: { id: 'x' } }, ['/data/id must be an integer']],
    [{ kind: 'dbtSync', op: 'delete', data: { ...at, syncJobId: '#'.repeat(1025) } }, tooLong],
    // The key apiKey#… of 2,048 bytes, and of one more.
    [{ kind: 'apiKey', op: 'delete', data: { tokenHash: 'a'.repeat(2041) } }, []],
    [{ kind: 'apiKey', op: 'delete', data: { tokenHash: 'a'.repeat(2042) } }, tooLong],
  ])('with it as a whole (%#)', (change, expected) => {
    expect(told(change)).toEqual(expected)
  })

  test.each<[string, object, string[]]>([
    [
      'account',
      { id: '', name: 'A', oidc: { issuer: 'http://x.test', audience: '', userClaim: '' } },
      [
        '/data/id must have at least 1 character',
        '/data/oidc/issuer must be an https URL without query and fragment (http on loopback alone)',
        '/data/oidc/audience must have at least 1 character',
        '/data/oidc/userClaim must have at least 1 character',
      ],
    ],
    [
      'user',
      { ...ofAcme, id: 1, email: '', username: long(321), roles: ['a', 1], deploymentIds: 'some' },
      [
        '/data/email must have at least 1 character',
        '/data/username must have at most 320 characters',
        '/data/roles/1 must be a string',
        '/data/deploymentIds must be "all" or a list of at most 400 ids',
      ],
    ],
    [
      'user',
      { ...ofAcme, id: 1, email: 'a', roles: [], deploymentIds: Array.from({ length: 401 }, (_, id) => id) },
      ['/data/deploymentIds must have at most 400 entries'],
    ],
    // As many characters as each name may have, of four bytes each.
    ['user', { accountId: '💚'.repeat(200), id: 1, email: '💚'.repeat(320), roles: [], deploymentIds: [] }, tooLong],
    ...['A1'.repeat(32), `x${'a1'.repeat(32)}`, `${'a1'.repeat(32)}0`].map((tokenHash): [string, object, string[]] => [
      'apiKey',
      { ...ofAcme, tokenHash, userId: 1, name: 'x' },
      noHash,
    ]),
    ['deployment', { ...ofAcme, id: -1, name: 'x' }, ['/data/id must be an integer of at least 0']],
    ['embedTenant', { ...ofAcme, name: 'a_b' }, [`/data/name ${tenantName}`]],
    ['group', { ...ofAcme, name: 'system:x' }, ['/data/name must not begin with system:, which is reserved']],
    [
      'tenantGroup',
      { ...ofAcme, embedTenantName: 'n', name: 'g', description: long(501) },
      [`/data/embedTenantName ${tenantName}`, '/data/description must have at most 500 characters'],
    ],
    [
      'attributeDefinition',
      { ...ofAcme, name: 'n', type: 'number', defaultValue: 'x' },
      ['/data/defaultValue must be a number, or its text, since its type is number'],
    ],
    ['folder', { ...folder, parentId: 'x' }, ['/data/parentId must be an integer']],
    ['folder', { ...folder, id: longNumber }, ['/data/id must be an integer within ±(2^53 - 1)']],
    ['folder', { ...folder, name: long(65_536) }, ['/data the data has 65587 bytes; the limit is 65536']],
    [
      'share',
      { ...at, resource: { type: 'sheet', id: 1 }, grantee: { type: 'everybody' } },
      [
        '/data/resource/type must be one of workbook, folder',
        '/data/grantee/type must be {type: "embedTenant", name} or {type: "allEmbedUsers"}',
      ],
    ],
    ...[
      [{ type: 'embedTenant' }, 'is required'] as const,
      [{ type: 'allEmbedUsers', name: 'x' }, 'is not a known field'] as const,
    ].map(([grantee, reason]): [string, object, string[]] => [
      'share',
      { ...at, resource: { type: 'folder', id: 1 }, grantee },
      [`/data/grantee/name ${reason}`],
    ]),
    ...(
      [
        [{ type: 'user', userid: 1, userId: 1 }, ['userid is not a known field; the nearest one is userId']],
        [{ ...embedUser, externalId: ' ' }, ['externalId must not be blank']],
        [
          { type: 'robot' },
          ['type must be {type: "user", userId} or {type: "embedUser", embedTenantName, externalId}'],
        ],
      ] as const
    ).map(([recipient, [reason]]): [string, object, string[]] => [
      'recipient',
      { ...at, notificationId: 1, recipient },
      [`/data/recipient/${reason}`],
    ]),
    ['recipient', { ...at, notificationId: 1, recipient: { ...embedUser, externalId: '💚'.repeat(256) } }, tooLong],
    [
      'dbtSync',
      { ...at, syncJobId: '', branchName: 'm', source: 'x', startedAt: 'x', status: 'x', trigger: 'x' },
      [
        '/data/syncJobId must have at least 1 character',
        `/data/startedAt ${time}`,
        '/data/status must be one of RUNNING, COMPLETED, FAILED, CANCELLED, UNKNOWN',
        '/data/trigger must be one of manual, api, webhook, agent, unknown',
      ],
    ],
    [
      'notification',
      { ...at, id: 1, createdAt: '2026-01-01', filters: [{ value: { a: 1 } }] },
      ['/data/filters/0/value must be a string, a number, true, false, or a list of these'],
    ],
    [
      'workbook',
      { id: 1 },
      ['deploymentId', 'name', 'meta', 'calculatedFields', 'createdAt', 'updatedAt', 'type'].map(
        (field) => `/data/${field} is required`,
      ),
    ],
  ])('with its %s (%#)', (kind, data, expected) => {
    expect(told({ kind, data })).toEqual(expected)
  })

  test('with a document that is too large, even when compressed', () => {
    const random = randomBytes(400_000).toString('base64')
    expect(told(workbook(1, 1, { meta: { random } }))).toEqual([
      expect.stringMatching(/^\/data the compressed document has \d{6} bytes; the limit is \d{6}$/),
    ])
  })

  test.each([
    ['folder', folder, 'name', 65_536],
    ['dbtSync', dbtSync(1, 'x', { errorMessage: '' }).data, 'errorMessage', 262_144],
  ])('with a %s of a byte more than there may be', (kind, data, field, most) => {
    const sized = (bytes: number) => {
      const length = bytes - JSON.stringify({ ...data, [field]: '' }).length
      return { kind, data: { ...data, [field]: long(length) } }
    }
    expect(told(sized(most))).toEqual([])
    expect(told(sized(most + 1))).toEqual([expect.stringMatching(`has ${most + 1} bytes; the limit is ${most}$`)])
  })
})
