import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { sessionKey, tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { currentSigner } from '@embed-access/core/signing/stored-keys.ts'
import { key } from '@embed-access/core/storage/keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, test } from 'vitest'
import { tenantItem } from '../embed-tenants/embed-tenant-of.ts'
import { cancelling, itemAt, refusing } from '../support/database.ts'
import { startOfTime, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { generateOn, issuance } from './past-the-gateway.ts'

describe('a session', () => {
  const service = world()
  const { newSession, redeem } = sessionsOf(service)
  const redeemOn = async (storage: Storage, id: string) =>
    redeemSession(
      storage,
      id,
      service.now,
      issuance,
      await currentSigner({ storage: service.storage, now: () => 0 })(),
    )

  test('is stored and taken in three attempts, with longer and longer pauses', async () => {
    const id = await newSession()
    const failing = (name: string) =>
      refusing(
        service.storage,
        (command) => command instanceof PutCommand || command instanceof DeleteCommand,
        name,
      )
    for (const [work, due] of [
      [(storage: Storage) => redeemOn(storage, id), [200, 400]],
      [(storage: Storage) => generateOn(storage), [200, 20, 400, 40]],
    ] as const) {
      const { storage, pauses } = failing('ThrottlingException')
      await expect(work(storage)).rejects.toThrow('ThrottlingException')
      expect(pauses).toEqual(due)
      const denied = failing('AccessDeniedException')
      await expect(work(denied.storage)).rejects.toThrow('AccessDeniedException')
      expect(denied.pauses).toEqual([])
    }
    let refusals = 2
    const { storage, pauses } = refusing(service.storage, () => refusals-- > 0)
    expect(await redeemOn(storage, id)).toMatchObject({ token: expect.any(String) })
    expect(pauses).toEqual([200, 400])
  })

  const from = (first: number) => Array.from({ length: 250 }, (_, index) => first + index)

  test.each<[deploymentIds: number[], status: number]>([
    [from(1), 401],
    [from(-100), 401],
    [from(-200), 401],
    [from(-248), 401],
    [from(2), 200],
    [from(-249), 200],
    [[], 200],
  ])(
    'is revoked by a key of the deployments $0 if it is in one of them',
    async (deploymentIds, status) => {
      const id = await newSession()
      await revokeSession(service.storage, { accountId: 'acme', deploymentIds }, id, service.now)
      expect((await redeem(id)).status).toBe(status)
    },
  )

  test('waits for five minutes in the table too, and is told as redeemed for a day', async () => {
    const id = await newSession()
    const now = startOfTime / 1000
    const waiting = { accountId: 'acme', deploymentId: 1, expiresAt: now + 300 }
    expect(await itemAt(service.storage, 'sessions', sessionKey(id))).toMatchObject(waiting)
    await redeem(id)
    const ended = { end: 'redeemed', expiresAt: now + 86_400 }
    expect(
      await itemAt(service.storage, 'sessions', { pk: key('end', tokenIdOf(id)) }),
    ).toMatchObject(ended)
  })

  const defining = (name: string) => ({ userAttributeDefinitions: [{ name }] })

  test.each([
    ['None', 'ConditionalCheckFailed'],
    ['None', 'TransactionConflict'],
    ['None', 'ValidationError'],
    // The action that is not at fault may have no reason.
    [undefined, 'TransactionConflict'],
  ])(
    'that loses a race (%s, %s) is tried again, each time after a longer wait',
    async (...codes) => {
      const losing = cancelling(service.storage, 9, ...codes)
      await generateOn(losing.storage, defining(codes.join('-')))
      expect(losing.pauses).toEqual([20, 40, 80, 160, 320, 640, 800, 800, 800])
    },
  )

  test('that loses every race is given up within ten seconds', async () => {
    const endless = cancelling(
      service.storage,
      Number.POSITIVE_INFINITY,
      'None',
      'TransactionConflict',
    )
    const attempt = generateOn(endless.storage, { embedTenantName: 'never' })
    await expect(attempt).rejects.toMatchObject({ name: 'ThrottlingException' })
    expect(endless.pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(10_000)
    expect(await tenantItem(service.storage, 'never')).toBeUndefined()
  })

  test('whose transaction is cancelled for another reason is not tried again', async () => {
    const refused = cancelling(service.storage, 1, 'None', 'AccessDenied')
    const made = generateOn(refused.storage, defining('denied'))
    await expect(made).rejects.toMatchObject({ name: 'TransactionCanceledException' })
    expect(refused.pauses).toEqual([])
  })
})
