import type { EmbedTokenId, Principal } from '@embed-access/core/access/principal.ts'
import {
  deploymentCutOff,
  endUsersRevocationKey,
  isRevoked,
  minterRevocationKey,
  revocationKey,
  revocationKeys,
} from '@embed-access/core/access/revocation.ts'
import {
  revocationScope,
  revokeEndUsers,
  revokeMinted,
  revokeToken,
} from '@embed-access/core/sessions/revoke.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { itemAt, newTables, putItem, sentBy } from '../support/database.ts'
import { admin, startOfTime } from '../support/service.ts'

const now = startOfTime
const at = now / 1000
const north = { embedTenantName: 'north' }
const older: EmbedTokenId = { jti: 'one', deploymentId: 1, ...north, externalId: 'u-1' }
const byKey: EmbedTokenId = { ...older, mintedBy: { userId: 2, key: 'key-of-2', at } }
const byUser: EmbedTokenId = { ...older, mintedBy: { userId: 2, at } }
const reader: Principal = { ...admin, userId: 2, admin: false }

let storage: Storage
beforeAll(async () => {
  storage = await newTables()
})

// Each test has an account of its own.
let accountId: string
let accounts = 0
beforeEach(() => {
  accounts += 1
  accountId = `account-${accounts}`
})

const revoked = (...ids: readonly EmbedTokenId[]) =>
  Promise.all(ids.map((id) => isRevoked(storage, { accountId, userId: undefined, id })))
const revoke = (principal: Principal) =>
  revokeToken(storage, revocationScope({ ...principal, accountId }), 'one', now)
const revokeAllOf = (minter: Parameters<typeof revokeMinted>[2], seconds = 0) =>
  revokeMinted(storage, accountId, minter, seconds, now)

describe('a token that does not say who generated it', () => {
  test('is good, whatever was revoked by who generated it', async () => {
    expect(await revoked(older)).toEqual([false])
    await revokeAllOf({ userId: 2 })
    await revoke(reader)
    expect(await revoked(older, byUser)).toEqual([false, true])
  })

  test('counts as older than each revocation of its embed tenant', async () => {
    await revokeEndUsers(storage, { accountId, deploymentIds: [1] }, north, now)
    expect(await revoked(older, { ...older, deploymentId: 2 })).toEqual([true, false])
  })
})

test('A token asks for as many revocations as there may be of it', () => {
  const { jti, deploymentId, embedTenantName, externalId } = older
  const tokens = [{}, { externalId }, { embedTenantName }, older, byUser, byKey]
  const asked = (of: Partial<EmbedTokenId>, userId?: number) =>
    revocationKeys({ accountId: 'acme', userId, id: { jti, deploymentId, ...of } }).length
  expect(tokens.map((of) => asked(of))).toEqual([3, 3, 4, 5, 6, 7])
  expect(asked({}, 7)).toBe(4)
})

describe('revoking', () => {
  test('in some deployments, then by generator, then in other deployments adds up', async () => {
    const elsewhere = { ...byKey, deploymentId: 2 }
    await revoke({ ...admin, deploymentIds: [2] })
    expect(await revoked(byKey, elsewhere)).toEqual([false, true])
    await revoke(reader)
    expect(await revoked(byKey, elsewhere, byUser)).toEqual([false, true, true])
    await revoke({ ...admin, deploymentIds: [1] })
    expect(await revoked(byKey, elsewhere)).toEqual([true, true])
    const Item = { ...revocationKey(accountId, 'two'), expiresAt: at }
    await putItem(storage, 'sessions', Item)
    expect(await revoked({ ...byKey, jti: 'two' }, { ...older, jti: 'two' }, older)).toEqual([
      true,
      true,
      true,
    ])
  })

  test('in 400 deployments takes few writes, and takes back none of a later call', async () => {
    const deploymentIds = Array.from({ length: 400 }, (_, id) => id)
    let writes = 0
    const counted = sentBy(storage, (command, on) => {
      writes += 1
      return on(command)
    })
    await revokeEndUsers(counted, { accountId, deploymentIds: [7, 8] }, north, now + 5000)
    await revokeEndUsers(counted, { accountId, deploymentIds }, north, now)
    // Six groups of up to 75, and once more the group of those two, without them.
    expect(writes).toBe(1 + 6 + 1)
    const item = await itemAt(storage, 'sessions', endUsersRevocationKey(accountId, north))
    const cutOffs = deploymentIds.map((id) => item?.[deploymentCutOff(id)])
    expect(cutOffs).toEqual(deploymentIds.map((id) => at + ([7, 8].includes(id) ? 6 : 1)))
  })

  test('is remembered for as long as any token may live, each minter by itself', async () => {
    for (const [minter, seconds] of [
      [{ key: 'key-of-2' }, 30],
      [{ userId: 2 }, 0],
    ] as const) {
      await revokeAllOf(minter, seconds)
      const Key = minterRevocationKey(accountId, minter)
      expect(await itemAt(storage, 'sessions', Key)).toMatchObject({
        ...Key,
        everywhere: at + 1 + seconds,
        expiresAt: at + 300 + 86_400 + seconds + 60,
      })
    }
  })
})
