import { userIds, userIdsByLogin } from '@embed-access/core/access/user.ts'
import { expect, test } from 'vitest'
import { put, world } from '../support/service.ts'

const service = world()

test('The users with an e-mail address come by id, and no other account’s', async () => {
  const email = 'Twin@acme.example'
  await service.apply([
    ...[10, 9, 100].map((id) => put('user', { accountId: 'acme', id, email, roles: [], deploymentIds: 'all' })),
    put('user', { accountId: 'other', id: 8, email, roles: [], deploymentIds: 'all' }),
  ])
  expect(await userIds(service.storage, 'byEmail', 'acme', 'TWIN@acme.example')).toEqual([9, 10, 100])
  expect((await userIdsByLogin(service.storage, 'acme', email)).toSorted()).toEqual([10, 100, 9])
})

test('A name that is longer than a key can be is that of nobody', async () => {
  for (const length of [2043, 2044, 100_000]) {
    expect(await userIdsByLogin(service.storage, 'acme', 'x'.repeat(length))).toEqual([])
  }
})
