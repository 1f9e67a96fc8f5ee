import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Measured, measurePages } from '../../bench/measure.ts'
import type { Meter } from '../../bench/meter.ts'
import { type PageRequest, pageRequests, type Sizes } from '../../bench/requests.ts'
import { filledTables } from '../../bench/tables.ts'
import { smallWorkbook } from '../../bench/workbook.ts'

const small: Sizes = { workbooks: 1000, syncs: 1000, notifications: 1000 }
const large: Sizes = { workbooks: 100_000, syncs: 100_000, notifications: 10_000 }

describe('a page', () => {
  let meters: { small: Meter; large: Meter }
  let costs: { small: Measured[]; large: Measured[] }

  const all = () => [...costs.small, ...costs.large]
  const ofWorkbooks = ({ page }: Measured) => page.startsWith('workbooks')

  beforeAll(async () => {
    const filled = async (sizes: Sizes) => filledTables(inject('engineEndpoint'), sizes, smallWorkbook)
    meters = { small: await filled(small), large: await filled(large) }
    costs = {
      small: await measurePages(meters.small, pageRequests(small)),
      large: await measurePages(meters.large, pageRequests(large)),
    }
  }, 600_000)

  test('of any list, source and filter costs the same calls, round trips, entries and capacity in a catalog of any size', () => {
    const figures = ({ page, returned, cost: { bytes, ...exact } }: Measured) => ({ page, returned, ...exact })
    expect(costs.large.map(figures)).toEqual(costs.small.map(figures))
  })

  test('takes at most three round trips after the authorizer', () => {
    for (const { page, cost } of all()) expect([page, cost.roundTrips <= 3]).toEqual([page, true])
  })

  test('reads at most twice as many index entries as it may have items', () => {
    for (const { page, cost } of all()) expect([page, cost.entries <= 200]).toEqual([page, true])
  })

  test('of directly shared workbooks or of the union costs at most a tenth more than reading its workbooks by key', () => {
    for (const { page, returned, cost, byKey } of all().filter(ofWorkbooks)) {
      if (returned < 100) continue
      expect([page, cost.capacity <= 1.1 * byKey.capacity]).toEqual([page, true])
    }
  })

  test('of shared folders costs less than reading its workbooks by key', () => {
    for (const { page, cost, byKey } of all().filter(({ page }) => page.includes('folder'))) {
      expect([page, cost.capacity < byKey.capacity]).toEqual([page, true])
    }
  })

  test('takes no more round trips when each workbook says why it can be seen', async () => {
    const requests = pageRequests(small).filter(({ list }) => list === 'list-embed-tenant-workbooks')
    const explained = requests.map(
      (request): PageRequest => ({
        ...request,
        query: { ...request.query, include: 'accessSources' },
      }),
    )
    const measured = await measurePages(meters.small, explained)
    expect(measured.map(({ page, cost }) => [page, cost.roundTrips])).toEqual(
      costs.small.filter(ofWorkbooks).map(({ page, cost }) => [page, cost.roundTrips]),
    )
  })
})
