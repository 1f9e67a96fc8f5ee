import { keyOperations } from '@embed-access/core/access/key-operations.ts'
import { describe, expect, test } from 'vitest'
import { operations } from '../../functions/operations/operations.ts'
import { keys, people, put, userKey, world } from '../support/service.ts'

const limited = (key: string, operations: readonly string[], userId = 1) => userKey('acme', userId, key, { operations })

const service = world([
  ...people,
  limited('sk-mints', ['generate-session']),
  limited('sk-ends', ['generate-session', 'revoke-session']),
  limited('sk-reads', ['list-dbt-syncs'], 2),
  limited('sk-reader-lists', ['list-embed-tenant-workbooks'], 2),
])
const mint = (key: string, request: object, query = '') =>
  service.post(`/api/v1/embed/generate-session${query}`, {
    key,
    body: { deploymentId: 1, embedTenantName: 'north', ...request },
  })
const revoke = (key: string, sessionId: string) =>
  service.post('/api/v1/embed/session/revoke', { key, body: { sessionId } })

describe('an API key that is limited to operations', () => {
  test('may be limited to each operation that a key opens, and to no other', () => {
    const open = Object.entries<{ access: string }>(operations).filter(([, { access }]) =>
      ['read', 'backend', 'admin'].includes(access),
    )
    expect(keyOperations.toSorted(), 'Write a new operation into core/access/key-operations.ts.').toEqual(
      open.map(([id]) => id).toSorted(),
    )
  })

  test('opens those, and refuses every other before it looks at the request', async () => {
    expect((await service.get('/api/v1/deployments/1/dbt-sync', { key: 'sk-reads' })).status).toBe(200)
    expect((await service.get('/api/v1/deployments/99/notifications', { key: 'sk-reads' })).body).toMatchObject({
      status: 403,
      code: 'operation_forbidden',
    })
    const { body } = await mint('sk-ends', { externalId: 'a' })
    expect((await revoke('sk-mints', body.sessionId)).body.code).toBe('operation_forbidden')
    expect((await revoke('sk-ends', body.sessionId)).status).toBe(204)
  })

  test('opens nothing that its user may not do', async () => {
    const path = '/api/v1/deployments/1/embed-tenants/north/workbooks'
    expect((await service.get(path, { key: 'sk-reader-lists' })).body.code).toBe('admin_required')
  })

  test('makes no session for an internal user, whose token would open more', async () => {
    for (const internalId of ['ada', 'nobody']) {
      for (const query of ['', '?dryRun=true']) {
        const reply = await mint('sk-mints', { internalId }, query)
        expect([reply.status, reply.body.code]).toEqual([403, 'internal_id_forbidden'])
      }
    }
    expect((await mint('sk-mints', { externalId: 'a' })).status).toBe(200)
  })

  test('names an operation that there is', async () => {
    await expect(service.apply([limited('sk-typo', ['generate-sesion'])])).rejects.toThrow()
    await expect(service.apply([limited('sk-none', [])])).rejects.toThrow()
  })
})

test('An account in which only admins generate sessions refuses all others', async () => {
  await service.apply([put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true, onlyAdminsMint: true })])
  // An instance goes by what it knows of the account for five seconds.
  service.now += 5000
  expect((await mint(keys.admin, { externalId: 'a' })).status).toBe(200)
  expect((await mint(keys.reader, { externalId: 'a' })).body).toMatchObject({
    status: 403,
    code: 'admin_required',
    detail: 'In this account only admins generate sessions.',
  })
  await service.apply([put('account', { id: 'acme', name: 'Acme', embeddingEnabled: true })])
})
