import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { syncKey } from '@embed-access/core/dbt-syncs/list.ts'
import { notificationKey } from '@embed-access/core/notifications/keys.ts'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { workbookKey } from '@embed-access/core/workbooks/keys.ts'
import type { Context } from 'aws-lambda'
import { authorizationOf } from '../../functions/http/authorization.ts'
import { handler as syncs } from '../../functions/list-dbt-syncs.ts'
import { handler as workbooks } from '../../functions/list-embed-tenant-workbooks.ts'
import { handler as notifications } from '../../functions/list-notifications.ts'
import type { LogEntry } from '../../functions/runtime/definition.ts'
import { admin } from '../support/catalog.ts'
import type { Cost, Meter } from '../support/counting.ts'
import { deployment, tenant } from './catalog.ts'
import type { ListName, PageRequest } from './requests.ts'

export type Measured = {
  readonly page: string
  readonly returned: number
  readonly cost: Cost
  /** Reading the same things by key, consistently where the page does so. */
  readonly byKey: Cost
}

/**
 * Such a page reads up to 1,000 direct shares of each grantee along with its folders. A small
 * catalog has fewer.
 */
const readsSharesAlong = ({ page }: Measured): boolean =>
  /^workbooks, union, (first|middle, folder)$/.test(page)

/** What a page returns and costs in a catalog of any size, the same on every machine. */
export const flatFigures = (measured: Measured): readonly unknown[] => {
  const { calls, roundTrips, items, entries, capacity } = measured.cost
  const ofShares = readsSharesAlong(measured) ? [] : [entries, capacity]
  return [measured.page, measured.returned, calls, roundTrips, items, ...ofShares]
}

type PageBody = { readonly items: readonly { readonly id?: number; readonly syncJobId?: string }[] }

/**
 * The functions behind their authorizer: what they answer to an admin of the account. A request
 * comes ten seconds after the one before it, so each reads the deployment.
 */
export function functionsOver(storage: Storage) {
  let now = Date.now()
  const parts = {
    storage,
    recent: recentLookups(() => now),
    now: () => now,
    issuer: 'https://embed.test',
    log: (entry: LogEntry) => {
      if (entry.level !== 'info') process.stderr.write(`${JSON.stringify(entry)}\n`)
    },
  }
  const handlers = {
    'list-embed-tenant-workbooks': workbooks.create(parts),
    'list-dbt-syncs': syncs.create(parts),
    'list-notifications': notifications.create(parts),
  }
  type Read = Pick<PageRequest, 'list' | 'query'> & { readonly deploymentId?: number }
  return async ({ list, query, deploymentId = deployment }: Read): Promise<string> => {
    now += 10_000
    const event = {
      rawQueryString: new URLSearchParams(query).toString(),
      pathParameters: { deploymentId: String(deploymentId), embedTenantName: tenant },
      headers: {},
      requestContext,
    }
    const answer = await handlers[list](event as never, {} as Context)
    if (answer.statusCode !== 200)
      throw new Error(`${list} answered ${answer.statusCode}: ${answer.body}`)
    return answer.body as string
  }
}

/** What a function gets of its caller by API Gateway, after the authorizer. */
export const requestContext = {
  requestId: 'page',
  http: { sourceIp: '127.0.0.1', userAgent: 'page' },
  authorizer: { lambda: authorizationOf(admin, { id: '', access: 'admin' }) },
}

/** Pages of a page size, each measured once. */
export async function measurePages(
  meter: Meter,
  requests: readonly PageRequest[],
  first = 100,
): Promise<Measured[]> {
  const read = functionsOver(meter.storage)
  const measured: Measured[] = []
  for (const { name, list, query } of requests) {
    const [cost, text] = await meter.measure(() =>
      read({ list, query: { ...query, first: String(first) } }),
    )
    const { items } = JSON.parse(text) as PageBody
    const [byKey] = await meter.measure(() =>
      batchGet(meter.storage, items.map(keyIn(list)), { consistent: isConsistent(list) }),
    )
    measured.push({ page: name, returned: items.length, cost, byKey })
  }
  return measured
}

export const isConsistent = (list: ListName): boolean => list === 'list-embed-tenant-workbooks'

/** The key of the item that holds a thing of this list. */
export const keyIn = (list: ListName) => {
  type Thing = PageBody['items'][number]
  const keys = {
    'list-embed-tenant-workbooks': ({ id }: Thing) => workbookKey(deployment, id as number),
    'list-dbt-syncs': ({ syncJobId }: Thing) => syncKey(deployment, syncJobId as string),
    'list-notifications': ({ id }: Thing) => notificationKey(deployment, id as number),
  }
  return keys[list]
}
