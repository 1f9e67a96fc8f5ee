import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { endUsersRevocationKey, goneRevocationKey } from '@embed-access/core/access/revocation.ts'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { retryingStorage } from '../../cli/catalog/retrying-storage.ts'
import { itemAt, refusing, sentBy } from '../support/database.ts'
import {
  acmeDeployment,
  acmeTenant,
  type Change,
  revised,
  userOf,
  without,
  world,
} from '../support/service.ts'
import { claimsIn, sessionsOf, tokenStatus } from '../support/sessions.ts'

const service = world(undefined, { isInMemory: true })
const { newToken } = sessionsOf(service)
const elm = { embedTenantName: 'elm' }

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
  {
    change: userOf('acme', 90, 'late@acme.example', { deploymentIds: [1] }),
    request: { internalId: 'late@acme.example' },
    key: goneRevocationKey('acme', 'user', 90),
  },
  {
    change: acmeDeployment(91),
    request: { deploymentId: 91 },
    key: goneRevocationKey('acme', 'deployment', 91),
  },
  { change: acmeTenant('elm'), request: elm, key: endUsersRevocationKey('acme', elm) },
])('a $change.kind ends the tokens until its deletion succeeds', async (row) => {
  const { change, request, key } = row
  const ends = async (token: string) => {
    const deletion = (await itemAt(service.storage, 'sessions', key))?.deletion
    expect(deletion).toBeGreaterThanOrEqual(claimsIn(token).mintedBy.at)
  }
  await ends(await tokenDuring(change, ['ThrottlingException'], request))
  // The writer makes another attempt at the one that is throttled, and the import at the others.
  const errors = ['ThrottlingException', 'TimeoutError', 'TimeoutError']
  const importing = (storage: Storage) => retryingStorage(storage, { now: () => 0 })
  await ends(await tokenDuring(change, errors, request, importing))
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
    const write = catalogWriter(storage, { now: () => service.now })
    const [result] = await write([without(acmeTenant('elm'))])
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
