import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { syncKey } from '@embed-access/core/dbt-syncs/list.ts'
import { embedTenantKey } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { notificationKey } from '@embed-access/core/notifications/keys.ts'
import { embedTokenClaims } from '@embed-access/core/sessions/token.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/signing/token-signer.ts'
import { batchGet } from '@embed-access/core/storage/batch-get.ts'
import type { ItemKey } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Grantee } from '@embed-access/core/workbooks/grantee.ts'
import { shareKey, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import type { Context } from 'aws-lambda'
import { authorizationOf } from '../../functions/http/authorization.ts'
import { handler as syncs } from '../../functions/list-dbt-syncs.ts'
import { handler as workbooks } from '../../functions/list-embed-tenant-workbooks.ts'
import { handler as embedTenants } from '../../functions/list-embed-tenants.ts'
import { handler as ownWorkbooks } from '../../functions/list-embed-workbooks.ts'
import { handler as notifications } from '../../functions/list-notifications.ts'
import { handler as whoCanSee } from '../../functions/list-workbook-embed-tenants.ts'
import type { LogEntry } from '../../functions/runtime/definition.ts'
import { admin } from '../support/catalog.ts'
import type { Cost, Meter } from '../support/counting.ts'
import { account, deployment, sharedWithMany, tenant } from './catalog.ts'
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
  /workbooks, union, (first|middle, folder)$/.test(page)

/** What a page returns and costs in a catalog of any size, the same on every machine. */
export const flatFigures = (measured: Measured): readonly unknown[] => {
  const { calls, roundTrips, items, entries, capacity } = measured.cost
  const ofShares = readsSharesAlong(measured) ? [] : [entries, capacity]
  return [measured.page, measured.returned, calls, roundTrips, items, ...ofShares]
}

/** What tells the things of a list apart. Each list has one of them. */
type Item = {
  readonly id: number
  readonly syncJobId: string
  readonly name: string
  readonly grantee: Grantee
}

const workbookOf = ({ id }: Item) => workbookKey(deployment, id)

/** The key of the item that holds a thing of a list. */
const keyOf: Readonly<Record<ListName, (item: Item) => ItemKey>> = {
  'list-embed-tenant-workbooks': workbookOf,
  'list-embed-workbooks': workbookOf,
  'list-workbook-embed-tenants': ({ grantee }) =>
    shareKey(workbookKey(deployment, sharedWithMany), grantee),
  'list-embed-tenants': ({ name }) => embedTenantKey(account, name),
  'list-dbt-syncs': ({ syncJobId }) => syncKey(deployment, syncJobId),
  'list-notifications': ({ id }) => notificationKey(deployment, id),
}

const isConsistent = (list: ListName): boolean =>
  list !== 'list-dbt-syncs' && list !== 'list-notifications'

const issuer = 'https://embed.test'
const issuance = { issuer, audience: issuer, lifetimeSeconds: 86_400 }
const signingKeys = await firstSigningKeys(Date.now())

/** An embed token of an end user of the tenant, whose session an API key has generated. */
async function embedToken(now: number): Promise<string> {
  const seconds = Math.floor(now / 1000)
  const context = {
    accountId: account,
    deploymentId: deployment,
    embedTenantName: tenant,
    externalId: 'ext-1',
    userAttributes: [],
    securityContext: {},
    mintedBy: { userId: 1, key: 'key', at: seconds },
  }
  const { sign } = await tokenSigner(signingKeys)
  return sign(embedTokenClaims(context, 'page', seconds, issuance))
}

/**
 * The functions behind their authorizer: what they answer to an admin of the account, or to an
 * embed token. A request comes ten seconds after the one before it, so each reads the deployment.
 */
async function functionsOver(storage: Storage) {
  let now = Date.now()
  const authorization = `Bearer ${await embedToken(now)}`
  const parts = {
    storage,
    recent: recentLookups(() => now),
    now: () => now,
    issuer,
    issuance: { ...issuance, maxTokenBytes: 8192 },
    verificationKeys: async () => publicKeys(signingKeys.keys),
    log: (entry: LogEntry) => {
      if (entry.level !== 'info') process.stderr.write(`${JSON.stringify(entry)}\n`)
    },
  }
  const handlers = {
    'list-embed-tenant-workbooks': workbooks.create(parts),
    'list-embed-workbooks': ownWorkbooks.create(parts),
    'list-workbook-embed-tenants': whoCanSee.create(parts),
    'list-embed-tenants': embedTenants.create(parts),
    'list-dbt-syncs': syncs.create(parts),
    'list-notifications': notifications.create(parts),
  }
  return async ({ list, query }: Pick<PageRequest, 'list' | 'query'>): Promise<string> => {
    now += 10_000
    const event = {
      rawQueryString: new URLSearchParams(query).toString(),
      pathParameters: {
        deploymentId: String(deployment),
        embedTenantName: tenant,
        workbookId: String(sharedWithMany),
      },
      headers: { authorization },
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

/** Pages of 100, each measured once. */
export async function measurePages(
  meter: Meter,
  requests: readonly PageRequest[],
): Promise<Measured[]> {
  const read = await functionsOver(meter.storage)
  const measured: Measured[] = []
  for (const { name, list, query } of requests) {
    const [cost, text] = await meter.measure(() =>
      read({ list, query: { ...query, first: '100' } }),
    )
    const { items } = JSON.parse(text) as { items: readonly Item[] }
    const [byKey] = await meter.measure(() =>
      batchGet(meter.storage, items.map(keyOf[list]), { consistent: isConsistent(list) }),
    )
    measured.push({ page: name, returned: items.length, cost, byKey })
  }
  return measured
}
