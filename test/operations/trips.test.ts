import { readFileSync } from 'node:fs'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Route } from '../../functions/operations/operations.ts'
import { type Cost, type Counter, countCalls } from '../support/counting.ts'
import { countsUnits, withoutUnits } from '../support/database.ts'
import { type Call, keys, put, world } from '../support/service.ts'
import { embedToken, everyOperation, itemsOfEveryList, requestOf, send } from './requests.ts'

const ada = { accountId: 'acme', userId: 1 }
const key = newApiKey(ada)

const service = world([...itemsOfEveryList(1), put('apiKey', { ...ada, tokenHash: hashOfApiKey(key), name: 'made' })])
let tripsOf: Counter['measure']

beforeAll(() => {
  tripsOf = countCalls(service.storage)
})

/** An older key's text does not name its holder. */
type Caller = 'nobody' | 'API key' | 'older API key' | 'embed token'
const callers: Readonly<Record<Caller, () => Call | Promise<Call>>> = {
  nobody: () => ({}),
  'API key': () => ({ key }),
  'older API key': () => ({ key: keys.admin }),
  'embed token': () => embedToken(service, { internalId: 'ada', embedTenantName: 'north' }),
}

const byKey = ['API key', 'older API key'] as const

const callersOf = ({ access }: Route): readonly Caller[] =>
  access === 'public'
    ? ['nobody']
    : access === 'embed'
      ? ['embed token']
      : access === 'backend'
        ? byKey
        : [...byKey, 'embed token']

const cases = everyOperation.flatMap((operation) => callersOf(operation).map((caller) => ({ operation, caller })))

/** `Get · BatchGet + Query`: two round trips, the second of two calls at once. */
const shown = (trips: Cost['trips']): string => trips.map((calls) => calls.toSorted().join(' + ')).join(' · ') || 'none'

const page = readFileSync('docs/performance.md', 'utf8')

beforeEach(({ skip }) => skip(!countsUnits, withoutUnits))

test.each(cases)(
  '$operation.id, called with $caller, makes the calls that the documentation says',
  async ({ operation, caller }) => {
    // Once before: at its first request an instance reads the signing keys, the deployment and the account, and notes the
    // use of a key.
    await send(service, await requestOf(service, operation), await callers[caller]())
    const call = await callers[caller]()
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

    const costs = [loggedOf('calls').join(' + '), trips.length, shown(trips), readUnits, writeUnits].join(' | ')
    const beginning = `| ${operation.id} | ${caller} | `
    const row = `${beginning}${costs} |`
    expect(
      page.split('\n').find((line) => line.startsWith(beginning)),
      `Write this row into docs/performance.md, below "## Requests":\n${row}\n`,
    ).toBe(row)
  },
)
