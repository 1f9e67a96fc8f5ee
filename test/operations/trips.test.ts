import { readFileSync } from 'node:fs'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Route } from '../../functions/operations/operations.ts'
import { type Cost, type Counter, countCalls } from '../support/counting.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { type Call, keys, userKey, world } from '../support/service.ts'
import { embedToken, everyOperation, itemsOfEveryList, requestOf, send } from './requests.ts'

const key = newApiKey({ accountId: 'acme', userId: 1 })
const service = world([...itemsOfEveryList(1), userKey('acme', 1, key)])
let tripsOf: Counter['measure']

beforeAll(() => {
  tripsOf = countCalls(service.storage)
})

/** An older key's text does not name its holder. */
type Caller = 'nobody' | 'API key' | 'older API key' | 'embed token'
const callers: Readonly<Record<Caller, (operation: Route) => Call | Promise<Call>>> = {
  nobody: () => ({}),
  'API key': () => ({ key }),
  'older API key': () => ({ key: keys.admin }),
  'embed token': ({ id }) => {
    const user = id === 'list-embed-workbooks' ? { externalId: 'u-1' } : { internalId: 'ada' }
    return embedToken(service, { ...user, embedTenantName: 'north' })
  },
}

const byKey = ['API key', 'older API key'] as const

const callersOf = ({ id, access }: Route): readonly Caller[] =>
  access === 'public'
    ? ['nobody']
    : access === 'embed'
      ? ['embed token']
      : access === 'backend' || id === 'list-embed-tenants'
        ? byKey
        : [...byKey, 'embed token']

const cases = everyOperation.flatMap((operation) =>
  callersOf(operation).map((caller) => ({ operation, caller })),
)

/** `Get · BatchGet + Query`: two round trips, the second of two calls at once. */
const shown = (trips: Cost['trips']): string =>
  trips.map((calls) => calls.toSorted().join(' + ')).join(' · ') || 'none'

const page = readFileSync('docs/costs.md', 'utf8')

/**
 * The rows of the page: what an operation costs with a credential. Operations of equal costs share
 * a row.
 */
const documented = new Map(
  [
    ...page.matchAll(/^\| ([a-z-]+(?:, [a-z-]+)*) \| (nobody|API key|embed token) \| (.*) \|$/gm),
  ].flatMap(([, ids = '', caller, costs = '']) =>
    ids.split(', ').map((id) => [`${id} | ${caller}`, costs] as const),
  ),
)

/**
 * What the text below the table adds to the row of an API key: a BatchGet, in a trip of its own,
 * and units.
 */
const additions: Partial<Record<Caller, { authorizer: number; function: number; units: number }>> =
  {
    'older API key': { authorizer: 1, function: 0, units: 0 },
    'embed token': { authorizer: 0, function: 1, units: 13.5 },
  }

beforeEach(({ skip }) => skip(!countsUnits, withoutUnits))

test.each(cases)(
  '$operation.id, called with $caller, makes the calls that the documentation says',
  async ({ operation, caller }) => {
    // Once before: at its first request an instance reads the signing keys, the deployment and the
    // account, and notes the use of a key.
    await send(service, await requestOf(service, operation), await callers[caller](operation))
    const call = await callers[caller](operation)
    const request = await requestOf(service, operation)
    service.logged.length = 0
    const [measured, { status }] = await tripsOf(() => send(service, request, call))
    expect(status).toBeLessThan(300)
    const { trips, readUnits, writeUnits } = measured
    const lines = service.logged.filter(({ invocation }) => invocation !== undefined)
    const loggedOf = (field: string) => lines.map((line) => line[field] as number)
    const sum = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each)
    expect(sum(loggedOf('calls'))).toBe(trips.flat().length)
    expect(sum(loggedOf('units'))).toBe(readUnits + writeUnits)

    const costs = [
      loggedOf('calls').join(' + '),
      trips.length,
      shown(trips),
      readUnits,
      writeUnits,
    ].join(' | ')
    const advice =
      `Write into the table below "## Requests" of docs/costs.md: | ${operation.id} | ` +
      `${caller} | ${costs} |`
    expect(costs, advice).toBe(documentedCosts(operation, caller))
  },
)

function documentedCosts({ id }: Route, caller: Caller): string | undefined {
  const more = additions[caller]
  const own = documented.get(`${id} | ${caller}`)
  if (own !== undefined || !more) return own
  const [calls = '', trips, byTrip, read, write] =
    documented.get(`${id} | API key`)?.split(' | ') ?? []
  const [authorizer, itself] = calls.split(' + ').map(Number) as [number, number]
  const sums = `${authorizer + more.authorizer} + ${itself + more.function} | ${Number(trips) + 1}`
  return `${sums} | BatchGet · ${byTrip} | ${Number(read) + more.units} | ${write}`
}
