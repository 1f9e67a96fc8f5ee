import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { endUsersRevocationKey, goneRevocationKey } from '@embed-access/core/access/revocation.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { retryingStorage } from '../../cli/catalog/retrying-storage.ts'
import { type Change, revised, without } from '../support/catalog.ts'
import { itemAt, refusing, sentBy } from '../support/database.ts'
import { acmeTenant, put, world } from '../support/service.ts'
import { claimsIn, sessionsOf, tokenStatus } from '../support/sessions.ts'

const service = world(undefined, { isInMemory: true })
const { newToken } = sessionsOf(service)

/**
 * Deletes a thing, of which a session is generated 18 seconds after the database has refused the
 * first attempt, or has lost it. Gives the token of this session.
 * @param errors those of the attempts that fail
 */
async function tokenDuring(
  { kind, data }: Change,
  errors: readonly string[],
  request: object,
  through = (storage: Storage) => storage,
) {
  await service.apply([{ kind, data }])
  let token = ''
  const left = [...errors]
  const slow = sentBy(service.storage, async (command, on) => {
    const error = command instanceof TransactWriteCommand && left.shift()
    if (!error) return on(command)
    service.now += 18_000
    token = await newToken(request)
    throw Object.assign(new Error(error), { name: error })
  })
  const storage = through({ ...slow, pause: async () => {} })
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
  const oak = acmeTenant('oak')
  const token = await tokenDuring(oak, [error], { embedTenantName: 'oak' })
  expect(await tokenStatus(service, token)).toBe(401)
})

test.each([
  ['user', { id: 90, email: 'late@acme.example', roles: [], deploymentIds: [1] }],
  ['deployment', { id: 91, name: 'late' }],
] as const)('a %s whose deletion was throttled ends the tokens since then', async (kind, data) => {
  const change = put(kind, { accountId: 'acme', ...data })
  const request = kind === 'user' ? { internalId: 'late@acme.example' } : { deploymentId: data.id }
  const token = await tokenDuring(change, ['ThrottlingException'], request)
  const key = goneRevocationKey('acme', kind, data.id)
  const deletion = (await itemAt(service.storage, 'sessions', key))?.deletion
  expect(deletion).toBeGreaterThanOrEqual(claimsIn(token).mintedBy.at)
})

test.each([
  ['an embed tenant', 'embedTenant', { name: 'elm' }, { embedTenantName: 'elm' }],
  ['a deployment', 'deployment', { id: 92, name: 'late' }, { deploymentId: 92 }],
] as const)('an import that deletes %s ends the tokens until it succeeds', async (...given) => {
  const [, kind, data, request] = given
  const change = put(kind, { accountId: 'acme', ...data })
  // The writer makes another attempt at the one that is throttled, and the import at the others.
  const errors = ['ThrottlingException', 'TimeoutError', 'TimeoutError']
  const token = await tokenDuring(change, errors, request, (storage) =>
    retryingStorage(storage, { now: () => 0 }),
  )
  const key =
    kind === 'deployment'
      ? goneRevocationKey('acme', kind, data.id)
      : endUsersRevocationKey('acme', { embedTenantName: data.name })
  const deletion = (await itemAt(service.storage, 'sessions', key))?.deletion
  expect(deletion).toBeGreaterThanOrEqual(claimsIn(token).mintedBy.at)
})

test('a deletion that waits for its turn takes the tokens since then with it', async () => {
  await service.apply([acmeTenant('fir')])
  let token = ''
  let isThrottled = true
  const busy = refusing(service.storage, () => isThrottled)
  const pause = async () => {
    isThrottled = false
    service.now += 5000
    token = await newToken({ embedTenantName: 'fir' })
  }
  const write = catalogWriter({ ...busy.storage, pause }, { now: () => service.now })
  expect(await write([without(acmeTenant('fir'))])).toEqual([{ outcome: 'applied' }])
  expect(await tokenStatus(service, token)).toBe(401)
})

test.each([
  ['TimeoutError', [200, 400]],
  ['AccessDeniedException', []],
])(
  'the deletion of a tenant that meets only %s has failed after waits of %j',
  async (name, waits) => {
    const { storage, pauses } = refusing(
      service.storage,
      (command) => command instanceof TransactWriteCommand,
      name,
    )
    const deletion = { kind: 'embedTenant', op: 'delete', data: { accountId: 'acme', name: 'elm' } }
    const [result] = await catalogWriter(storage, { now: () => service.now })([deletion])
    expect([result, pauses]).toEqual([expect.objectContaining({ outcome: 'failed' }), waits])
  },
)

test('a deletion that comes after a newer put ends the tokens from before, and once', async () => {
  const ash = acmeTenant('ash')
  const write = catalogWriter(service.storage, { now: () => service.now })
  const deleted = (revision: number) => revised(revision, without(ash))
  const status = (token: string) => tokenStatus(service, token)
  await service.apply([revised(1, ash)])
  const before = await newToken({ embedTenantName: 'ash' })
  await service.apply([revised(5, ash)])
  expect(await status(before)).toBe(200)
  service.now += 5000
  expect(await write([deleted(3)])).toEqual([{ outcome: 'skipped' }])
  expect(await status(before)).toBe(401)
  service.now += 5000
  const since = await newToken({ embedTenantName: 'ash' })
  service.now += 5000
  // Neither an older deletion nor a deletion or put that comes again ends these. A newer one does.
  await write([deleted(3), deleted(2), revised(5, ash)])
  expect(await status(since)).toBe(200)
  await write([deleted(4)])
  expect(await status(since)).toBe(401)
})

test.each(['put', 'delete'])('a %s of a tenant whose answer is lost was applied', async (op) => {
  let isLost = true
  const losing = sentBy(service.storage, async (command, on) => {
    const answer = await on(command)
    if (!isLost || command instanceof GetCommand) return answer
    isLost = false
    throw Object.assign(new Error('lost'), { name: 'TimeoutError' })
  })
  const yew = revised(1, acmeTenant(`yew-${op}`))
  const write = catalogWriter({ ...losing, pause: async () => {} }, { now: () => service.now })
  expect(await write([{ ...yew, op }])).toEqual([{ outcome: 'applied' }])
})
