import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { Refusal } from '../refusal.ts'
import { batchGet, keysPerCall } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { type ItemKey, isLive, itemId } from '../storage/item.ts'
import { ownSortKey, partsOfKey } from '../storage/keys.ts'
import { type Entry, type PageRequest, pageOf, pageSize } from '../storage/page.ts'
import { queryPartition } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { AccessReason, Grantee } from '../workbooks/grantee.ts'
import { shareSortKey } from '../workbooks/keys.ts'
import { explainAccess } from './explain.ts'
import { readAtOneMoment, type WayUp, withWayUp } from './way-up.ts'

type EmbedAccess = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  readonly workbookId: number
  /** In lower case. If given, the answer is only about this tenant, and says why. */
  readonly embedTenantName?: string | undefined
}

/**
 * Lists who can see a workbook: all embed users, if they can, and then the embed tenants by name,
 * each with its own reasons. It finds shares at the workbook and the folders above it, and then
 * reads workbook, folders and shares as they are at one moment. So whoever is named could see the
 * workbook at that moment.
 * @throws Refusal `invalid_cursor`, `workbook_not_found`
 */
export async function listWorkbookEmbedTenants(storage: Storage, request: EmbedAccess) {
  const { accountId, deploymentId, workbookId, embedTenantName } = request
  const identity = ['workbookEmbedTenants', accountId, deploymentId, workbookId, embedTenantName]
  const position = request.after === undefined ? ownSortKey : decodeCursor(identity, request.after)
  // Shares come after the thing itself, also for a cursor that was made up.
  const after = position > ownSortKey ? position : ownSortKey
  if (embedTenantName === undefined) {
    const found = await withWayUp(storage, deploymentId, workbookId, (way) =>
      granteesAfter(storage, request, way, after),
    )
    if (!found) throw unknownWorkbook(request)
    return pageOf(identity, request, found.entries, found.end)
  }
  const explained = await explainAccess(storage, deploymentId, workbookId, embedTenantName)
  if (!explained) throw unknownWorkbook(request)
  const { explanation, reasons } = explained
  const entry = entryOf({ type: 'embedTenant', name: embedTenantName }, reasons)
  const isOnPage = explanation.isSeen && after === ownSortKey
  return { ...pageOf(identity, request, isOnPage ? [entry] : []), explanation }
}

/** The most transactions for a page, one after the other, unless a folder moves. */
const maxTransactions = 10

/**
 * Reads who can see the workbook, from after a position, in transactions. Each has as many shares
 * as fit beside the workbook and the folders.
 * @returns `end`: the position up to which all shares were read; undefined if there are no more.
 * The whole answer is undefined if the workbook or a folder has moved meanwhile
 */
async function granteesAfter(storage: Storage, request: EmbedAccess, way: WayUp, after: string) {
  // One grantee more than the page may have shows whether the list goes on.
  const wanted = pageSize(request.first) + 1
  const entries: Entry[] = []
  let end: string | undefined = after
  let transactions = 0
  do {
    const next: Shares = await nextShares(storage, way.resources, end, wanted)
    const seeing = await whoSees(storage, request.accountId, way, next.shares)
    if (!seeing) return undefined
    entries.push(...seeing)
    end = next.end
    transactions += 1
  } while (end !== undefined && entries.length < wanted && transactions < maxTransactions)
  return { entries, end }
}

const unknownWorkbook = ({ deploymentId, workbookId }: EmbedAccess) =>
  new Refusal(
    'workbook_not_found',
    `There is no workbook ${workbookId} in deployment ${deploymentId}.`,
  )

type Share = Required<ItemKey>

/** The shares up to the sort key `end`, in order. If these are all shares, `end` is undefined. */
type Shares = { readonly shares: readonly Share[]; readonly end: string | undefined }

/**
 * The next shares of the workbook and the folders: of each grantee all or none.
 * @param wanted how many grantees are looked for
 */
async function nextShares(
  storage: Storage,
  resources: readonly ItemKey[],
  after: string,
  wanted: number,
): Promise<Shares> {
  const most = keysPerCall - resources.length
  const attributes = ['pk', 'sk', 'deleted']
  const reads = await Promise.all(
    resources.map(({ pk }) =>
      queryPartition(storage, { partition: pk, after, attributes }, Math.min(wanted, most)),
    ),
  )
  // Beyond this, shares of some resources were not read.
  const [end] = reads.flatMap((read) => read.end ?? []).sort()
  const live = reads.flatMap(({ items }) => items).filter(isLive)
  const shares = live
    .map(({ pk, sk }) => ({ pk, sk }) as Share)
    .filter(({ sk }) => end === undefined || sk <= end)
    .sort((a, b) => (a.sk < b.sk ? -1 : 1))
  const firstTooMany = shares[most]
  if (!firstTooMany) return { shares, end }
  const fitting = shares.filter(({ sk }) => sk < firstTooMany.sk)
  // At least one grantee fits, because each has at most one share of each resource.
  return { shares: fitting, end: (fitting.at(-1) as Share).sk }
}

/** @returns undefined if a folder has moved meanwhile */
async function whoSees(storage: Storage, accountId: string, way: WayUp, shares: readonly Share[]) {
  const grantees = [...new Set(shares.map(({ sk }) => sk))].map(granteeOf)
  const keyOf = (name: string) => embedTenantKey(accountId, name)
  const tenantKeys = grantees.flatMap((each) => ('name' in each ? [keyOf(each.name)] : []))
  const [known, read] = await Promise.all([
    batchGet(storage, tenantKeys, { attributes: ['deleted'] }),
    readAtOneMoment(storage, way, shares),
  ])
  if (!read) return undefined
  const isThere = (grantee: Grantee) =>
    grantee.type === 'allEmbedUsers' || isLive(known.get(itemId(keyOf(grantee.name))))
  return grantees.filter(isThere).flatMap((grantee): Entry[] => {
    const reasons = read.reasonsOf([grantee])
    return reasons.length > 0 ? [entryOf(grantee, reasons)] : []
  })
}

function granteeOf(sortKey: string): Grantee {
  const [, name] = partsOfKey(sortKey)
  return name === undefined ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name }
}

const entryOf = (grantee: Grantee, reasons: readonly AccessReason[]): Entry => ({
  position: shareSortKey(grantee),
  json: JSON.stringify({ grantee, reasons }),
})
