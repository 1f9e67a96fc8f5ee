import { deploymentKey } from '@embed-access/core/access/keys.ts'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { everyOperation, itemsOfEveryList, requestOf, send } from '../operations/requests.ts'
import { type Counter, countCalls } from '../support/counting.ts'
import {
  acmeAccount,
  acmeDeployment,
  acmeGroup,
  keys,
  people,
  without,
  world,
} from '../support/service.ts'

const inDeployment = everyOperation.filter(
  ({ id, path }) => path.includes('{deploymentId}') || id === 'generate-session',
)

describe('an instance that has just served a deployment', () => {
  const service = world([...people, ...itemsOfEveryList(1)])
  let tripsOf: Counter['measure']
  beforeAll(() => {
    tripsOf = countCalls(service.storage)
  })
  const first = acmeDeployment(1)
  const acme = (embeddingEnabled: boolean) => acmeAccount({ embeddingEnabled })
  const session = async (deploymentId: number, key = keys.admin, more: object = {}) =>
    (await service.post('/api/v1/embed/generate-session', { key, body: { deploymentId, ...more } }))
      .status

  /** What is taken away counts five seconds longer. What is given counts at once. */
  async function takeAway(
    taken: object,
    given: object,
    status: () => Promise<number>,
    refused: number,
  ): Promise<void> {
    await service.apply([given])
    expect(await status()).toBe(200)
    await service.apply([taken])
    service.now += 4999
    expect(await status()).toBe(200)
    service.now += 1
    for (const _ of [1, 2]) expect(await status()).toBe(refused)
    await service.apply([given])
    expect(await status()).toBe(200)
  }

  test.each(inDeployment)(
    'refuses $id five seconds after the deployment was deleted',
    async (operation) => {
      const status = async () =>
        (await send(service, await requestOf(service, operation), { key: keys.admin })).status
      await takeAway(without(first), first, status, 404)
    },
  )

  test('refuses sessions five seconds after the account stopped embedding', async () => {
    await takeAway(acme(false), acme(true), () => session(1), 403)
  })

  test('refuses a group five seconds after its deletion, and takes it again', async () => {
    const group = acmeGroup('buyers')
    const status = () => session(1, keys.admin, { groups: ['buyers'] })
    expect(await status()).toBe(400)
    await takeAway(without(group), group, status, 400)
  })

  test('makes the same calls for any internal id that a caller may not name', async () => {
    const callsFor = async (internalId: string) =>
      (await tripsOf(() => session(1, keys.reader, { internalId })))[0].trips
    // The first one may record the use of the key.
    await callsFor('nobody')
    const forNobody = await callsFor('nobody')
    for (const name of ['ada', 'ada@acme.example']) expect(await callsFor(name)).toEqual(forNobody)
  })

  test('reads it again for a user of another account, as one that is not there', async () => {
    expect(await session(1)).toBe(200)
    const status: number[] = []
    const call = async (id: number) => {
      const [{ trips }, answered] = await tripsOf(() => session(id, keys.otherAdmin))
      status.push(answered)
      return trips
    }
    await call(999)
    const unknown = [await call(999), await call(999)]
    const foreign = [await call(1), await call(1)]
    expect(status).toEqual([404, 404, 404, 404, 404])
    expect(foreign).toEqual(unknown)
  })
})

describe('recent lookups', () => {
  const deployment = (id: number) => ({ ...deploymentKey(id), accountId: 'acme' })

  test('forget the one that was read first when there are too many', () => {
    const recent = recentLookups(() => 0)('acme')
    for (let id = 0; id <= 10_000; id += 1) recent.add(deployment(id))
    expect([0, 1, 10_000].map((id) => recent.get(deployment(id)))).toEqual([
      undefined,
      deployment(1),
      deployment(10_000),
    ])
  })

  test('count their age from the start of the read, and end if the clock is set back', () => {
    let now = 1000
    const recent = recentLookups(() => now)
    const read = recent('acme')
    now = 5000
    read.add(deployment(1))
    const isKnownAt = (time: number) => {
      now = time
      return recent('acme').get(deployment(1)) !== undefined
    }
    expect([999, 1000, 5999, 6000].map(isKnownAt)).toEqual([false, true, true, false])
  })

  test('of one account are not those of another, whatever the accounts are called', () => {
    const recent = recentLookups(() => 0)
    const group = { pk: 'account#a%23b', sk: 'group#c' }
    recent('a#b').add(group)
    expect(recent('a#b').get(group)).toEqual(group)
    expect(recent('a').get({ ...group, pk: `b#${group.pk}` })).toBeUndefined()
  })
})
