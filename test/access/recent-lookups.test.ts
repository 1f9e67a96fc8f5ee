import type { Item } from '@embed-access/core/storage/batch-get.ts'
import { maxRecentItems, recentItems } from '@embed-access/core/storage/recent-items.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { everyOperation, itemsOfEveryList, requestOf, send } from '../operations/requests.ts'
import { type Counter, countCalls } from '../support/counting.ts'
import { keys, people, put, without, world } from '../support/service.ts'

const inDeployment = everyOperation.filter(
  ({ id, path }) => path.includes('{deploymentId}') || id === 'generate-session',
)

describe('an instance that has just served a deployment', () => {
  const service = world([...people, ...itemsOfEveryList(1)])
  let tripsOf: Counter['measure']
  beforeAll(() => {
    tripsOf = countCalls(service.storage)
  })
  const first = put('deployment', { accountId: 'acme', id: 1, name: 'First' })
  const acme = (embeddingEnabled: boolean) => put('account', { id: 'acme', name: 'Acme', embeddingEnabled })
  const session = async (deploymentId: number, key = keys.admin) =>
    (await service.post('/api/v1/embed/generate-session', { key, body: { deploymentId } })).status

  test.each(inDeployment)('refuses $id five seconds after the deployment was deleted', async (operation) => {
    const status = async () => (await send(service, await requestOf(service, operation), { key: keys.admin })).status
    expect(await status()).toBe(200)
    await service.apply([without(first)])
    service.now += 4999
    expect(await status()).toBe(200)
    service.now += 1
    expect(await status()).toBe(404)
    await service.apply([first])
    expect(await status()).toBe(200)
  })

  test('refuses sessions five seconds after the account stopped embedding', async () => {
    expect(await session(1)).toBe(200)
    await service.apply([acme(false)])
    service.now += 4999
    expect(await session(1)).toBe(200)
    service.now += 1
    expect(await session(1)).toBe(403)
    await service.apply([acme(true)])
    expect(await session(1)).toBe(200)
  })

  test('refuses a group five seconds after it was deleted, and takes it when it is back', async () => {
    const group = put('group', { accountId: 'acme', name: 'buyers' })
    const body = { deploymentId: 1, groups: ['buyers'] }
    const status = async () => (await service.post('/api/v1/embed/generate-session', { key: keys.admin, body })).status
    expect(await status()).toBe(400)
    await service.apply([group])
    expect(await status()).toBe(200)
    await service.apply([without(group)])
    service.now += 4999
    expect(await status()).toBe(200)
    service.now += 1
    for (const _ of [1, 2]) expect(await status()).toBe(400)
    await service.apply([group])
    expect(await status()).toBe(200)
  })

  test('serves a deployment that was not there as soon as it is', async () => {
    expect(await session(3)).toBe(404)
    await service.apply([put('deployment', { accountId: 'acme', id: 3, name: 'Third' })])
    expect(await session(3)).toBe(200)
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

  test('refuses a user who may not read it', async () => {
    expect(await session(1)).toBe(200)
    expect(await session(1, keys.stranger)).toBe(403)
  })
})

describe('recent items', () => {
  const all = (item: Item) => item
  const named = (name: string) => ({ pk: name, sk: 'record' })

  test('forget the one that was read first when there are too many', () => {
    const recent = recentItems(all, 5000, () => 0)('acme')
    for (let item = 0; item <= maxRecentItems; item += 1) recent.add(named(`${item}`))
    expect(recent.get(named('0'))).toBeUndefined()
    expect(recent.get(named('1'))).toEqual(named('1'))
    expect(recent.get(named(`${maxRecentItems}`))).toEqual(named(`${maxRecentItems}`))
  })

  test('count their age from before the read, however long its answer takes', () => {
    let now = 0
    const recent = recentItems(all, 5000, () => now)
    const read = recent('acme')
    now = 4000
    read.add(named('a'))
    now = 4999
    expect(recent('acme').get(named('a'))).toBeDefined()
    now = 5000
    expect(recent('acme').get(named('a'))).toBeUndefined()
  })

  test('are not used where the clock was set back', () => {
    let now = 10_000
    const recent = recentItems(all, 5000, () => now)
    recent('acme').add(named('a'))
    now = 9999
    expect(recent('acme').get(named('a'))).toBeUndefined()
  })

  test('of one account are not those of another, whatever the accounts are called', () => {
    const recent = recentItems(all, 5000, () => 0)
    recent('a#b').add(named('c'))
    expect(recent('a').get(named('b#c'))).toBeUndefined()
    expect(recent('a#b').get(named('c'))).toEqual(named('c'))
  })
})
