import { describe, expect, test } from 'vitest'
import { folder, keys, people, put, without, world } from '../support/service.ts'
import { outcomesAt } from './outcomes.ts'

describe('a catalog change', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])
  const outcomes = outcomesAt(service)

  test.each(['2026-02-31', '2026-02-29', '2026-04-31T12:00:00Z', '2026-13-01'])(
    'with the date %s is refused, for there is no such day',
    async (expiresAt) => {
      const data = { accountId: 'acme', userId: 1, name: 'k', tokenHash: '0'.repeat(64), expiresAt }
      expect(await outcomes({ kind: 'apiKey', data })).toEqual([['/data/expiresAt']])
      const leapDay = { ...data, expiresAt: '2028-02-29T23:59:59+02:00' }
      expect(await outcomes({ kind: 'apiKey', data: leapDay })).toEqual(['applied'])
    },
  )

  test('keeps the values of a notification’s filters as text, whatever they are', async () => {
    const values = ['text', 5, 1.5, true, ['a', 'b'], [1, 2], '[3]']
    const filters = values.map((value) => ({ member: 'orders.total', operator: 'equals', value }))
    const data = { deploymentId: 1, id: 77, createdAt: '2026-01-01', filters }
    expect(await outcomes({ kind: 'notification', data })).toEqual(['applied'])
    const { body } = await service.get('/api/v1/deployments/1/notifications?first=1', { key: keys.reader })
    expect((body.items as { filters: { value: string }[] }[])[0]?.filters.map(({ value }) => value)).toEqual([
      'text',
      '5',
      '1.5',
      'true',
      '["a","b"]',
      '[1,2]',
      '[3]',
    ])
    expect(await outcomes({ kind: 'notification', data: { ...data, filters: [{ value: { a: 1 } }] } })).toEqual([
      ['/data/filters/0/value'],
    ])
  })

  test('of a lower revision than the applied one is skipped, a put after a delete too', async () => {
    const named = (name: string, revision?: number) => ({
      ...folder(1, 77, null, name),
      ...(revision !== undefined && { revision }),
    })
    expect(await outcomes(named('a', 5), named('b', 4), named('a', 5), named('d', 6))).toEqual([
      'applied',
      'skipped',
      'skipped',
      'applied',
    ])
    const deletion = { ...without(folder(1, 77, null)), revision: 8 }
    expect(await outcomes(deletion, named('e', 7), deletion, named('f', 9))).toEqual([
      'applied',
      'skipped',
      'skipped',
      'applied',
    ])
    expect(await outcomes(named('g'), named('h', 8), named('i', 10))).toEqual(['applied', 'skipped', 'applied'])
  })
})
