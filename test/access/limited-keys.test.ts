import { keyOperations } from '@embed-access/core/access/api-key.ts'
import { describe, expect, test } from 'vitest'
import { operations } from '../../functions/operations/operations.ts'
import { acmeAccount, keys, people, userKey, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

const limited = (key: string, operations: readonly string[], userId = 1) =>
  userKey('acme', userId, key, { operations })

const service = world(
  [
    ...people,
    limited('sk-mints', ['generate-session']),
    limited('sk-ends', ['generate-session', 'revoke-session']),
    limited('sk-reads', ['list-dbt-syncs'], 2),
    limited('sk-reader-lists', ['list-embed-tenant-workbooks'], 2),
  ],
  { isInMemory: true },
)
const { generate, dryRun, revoke } = sessionsOf(service)

describe('an API key that is limited to operations', () => {
  test('may be limited to each operation that a key opens, and to no other', () => {
    const open = Object.entries<{ access: string }>(operations).filter(([, { access }]) =>
      ['read', 'backend', 'admin'].includes(access),
    )
    expect(keyOperations.toSorted(), 'Write a new operation into core/access/api-key.ts.').toEqual(
      open.map(([id]) => id).toSorted(),
    )
  })

  test('opens those, and refuses every other before it looks at the request', async () => {
    const read = (path: string) => service.get(`/api/v1/deployments/${path}`, { key: 'sk-reads' })
    expect((await read('1/dbt-sync')).status).toBe(200)
    const notAllowed = { status: 403, code: 'operation_not_allowed' }
    expect((await read('99/notifications')).body).toMatchObject(notAllowed)
    const { body } = await generate({}, 'sk-ends')
    expect((await revoke(body, 'sk-mints')).body.code).toBe('operation_not_allowed')
    expect((await revoke(body, 'sk-ends')).status).toBe(204)
  })

  test('opens nothing that its user may not do', async () => {
    const { body } = await service.get('/api/v1/deployments/1/embed-tenants/north/workbooks', {
      key: 'sk-reader-lists',
    })
    expect(body.code).toBe('admin_required')
  })

  test('makes no session for an internal user, whose token would open more', async () => {
    for (const internalId of ['ada', 'nobody']) {
      for (const ask of [generate, dryRun]) {
        const reply = await ask({ internalId }, 'sk-mints')
        expect([reply.status, reply.body.code]).toEqual([403, 'internal_id_forbidden'])
      }
    }
    expect((await generate({ externalId: 'a' }, 'sk-mints')).status).toBe(200)
  })
})

test.each<[userId: number, deploymentIds: number[], open: number[]]>([
  [1, [2], [2]],
  [2, [1, 2], [1]],
  [2, [2], []],
  [3, [1], []],
])(
  'A key of user %i for deployments %j opens those that the user may read: %j',
  async (id, scope, open) => {
    const key = 'sk-scoped'
    await service.apply([userKey('acme', id, key, { deploymentIds: scope })])
    for (const deploymentId of [1, 2]) {
      const { status } = await service.get(`/api/v1/deployments/${deploymentId}/dbt-sync`, { key })
      expect(status, `${deploymentId}`).toBe(open.includes(deploymentId) ? 200 : 403)
    }
  },
)

test('An account in which only admins generate sessions refuses all others', async () => {
  await service.apply([acmeAccount({ onlyAdminsMint: true })])
  // An instance goes by what it knows of the account for five seconds.
  service.now += 5000
  expect((await generate()).status).toBe(200)
  expect((await generate({}, keys.reader)).body).toMatchObject({
    status: 403,
    code: 'admin_required',
    detail: 'In this account only admins generate sessions.',
  })
  await service.apply([acmeAccount()])
})
