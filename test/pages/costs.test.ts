import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Meter, metered } from '../support/counting.ts'
import { type FilledEngine, filledEngine } from './filled-engine.ts'
import { flatFigures, type Measured, measurePages } from './measure.ts'
import { type PageRequest, pageRequests, type Sizes } from './requests.ts'
import { smallWorkbook } from './workbook.ts'

const small: Sizes = { workbooks: 1000, syncs: 1000, notifications: 1000 }
const large: Sizes = { workbooks: 2000, syncs: 2000, notifications: 2000 }

describe('a page', () => {
  const engines: FilledEngine[] = []
  let meters: { small: Meter; large: Meter }
  let costs: { small: Measured[]; large: Measured[] }

  const all = () => [...costs.small, ...costs.large]
  const ofWorkbooks = ({ page }: Measured) => page.startsWith('workbooks')

  async function filled(sizes: Sizes): Promise<Meter> {
    const engine = await filledEngine(sizes, smallWorkbook)
    engines.push(engine)
    return metered(engine.tables, engine.endpoint)
  }

  beforeAll(async () => {
    const [few, many] = await Promise.all([filled(small), filled(large)])
    meters = { small: few, large: many }
    costs = {
      small: await measurePages(meters.small, pageRequests(small)),
      large: await measurePages(meters.large, pageRequests(large)),
    }
  }, 600_000)
  afterAll(() => Promise.all(engines.map(({ stop }) => stop())))

  test('has all that it can have, so that it costs what it says', () => {
    for (const { page, returned } of all())
      expect([page, returned]).toEqual([page, page.endsWith('one that matches') ? 1 : 100])
  })

  test('of any list, source and filter costs the same in a catalog of any size', () => {
    expect(costs.large.map(flatFigures)).toEqual(costs.small.map(flatFigures))
  })

  /** The check of an embed token takes a trip. Who can see a workbook takes two transactions. */
  const mostOf = (page: string) =>
    page.startsWith('who can see')
      ? { trips: 6, calls: 11 }
      : { trips: page.startsWith('own') ? 5 : 4, calls: page.endsWith('direct') ? 9 : 8 }

  test('takes at most 4 to 6 round trips after the authorizer, and 8 to 11 calls', () => {
    for (const { page, cost } of all()) {
      const { trips, calls } = mostOf(page)
      expect([page, cost.roundTrips <= trips, cost.calls <= calls]).toEqual([page, true, true])
    }
  })

  test('takes no more round trips when each workbook says why it can be seen', async () => {
    const requests = pageRequests(small).filter(
      ({ list }) => list === 'list-embed-tenant-workbooks',
    )
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
