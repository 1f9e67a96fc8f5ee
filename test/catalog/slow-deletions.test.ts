import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { goneRevocationKey } from '@embed-access/core/access/revocation.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { expect, test } from 'vitest'
import type { Change } from '../support/catalog.ts'
import { itemAt, sentBy } from '../support/database.ts'
import { put, world } from '../support/service.ts'
import { bearer, claimsIn, sessionsOf } from '../support/sessions.ts'

const service = world()
const { newToken } = sessionsOf(service)

/**
 * Deletes a thing, of which a session is generated 18 seconds after the database has refused the
 * first attempt, or has lost it. Gives the token of this session.
 */
async function tokenDuring({ kind, data }: Change, error: string, request: object) {
  await service.apply([{ kind, data }])
  let token = ''
  const slow = sentBy(service.storage, async (command, on) => {
    if (token !== '' || !(command instanceof TransactWriteCommand)) return on(command)
    service.now += 18_000
    token = await newToken(request)
    throw Object.assign(new Error(error), { name: error })
  })
  const storage = { ...slow, pause: async () => {} }
  const deletion = { kind, op: 'delete', data }
  const results = await catalogWriter(storage, { now: () => service.now })([deletion])
  expect(results).toEqual([{ outcome: 'applied' }])
  return token
}

test.each([
  ['throttled', 'ThrottlingException'],
  ['in conflict', 'TransactionConflictException'],
  ['without an answer', 'TimeoutError'],
])('a tenant whose deletion was %s takes the tokens since then with it', async (_, error) => {
  const oak = put('embedTenant', { accountId: 'acme', name: 'oak' })
  const token = await tokenDuring(oak, error, { embedTenantName: 'oak' })
  expect((await service.get('/api/v1/embed/session', bearer(token))).status).toBe(401)
})

test.each([
  ['user', { id: 90, email: 'late@acme.example', roles: [], deploymentIds: [1] }],
  ['deployment', { id: 91, name: 'late' }],
] as const)('a %s whose deletion was throttled ends the tokens since then', async (kind, data) => {
  const change = put(kind, { accountId: 'acme', ...data })
  const request = kind === 'user' ? { internalId: 'late@acme.example' } : { deploymentId: data.id }
  const token = await tokenDuring(change, 'ThrottlingException', request)
  const key = goneRevocationKey('acme', kind, data.id)
  const deletion = (await itemAt(service.storage, 'sessions', key))?.deletion
  expect(deletion).toBeGreaterThanOrEqual(claimsIn(token).mintedBy.at)
})
