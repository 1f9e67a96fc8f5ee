import { embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { Refusal } from '../refusal.ts'
import { batchGet, isLive, itemId, keysPerCall } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { ownSortKey, partsOfKey } from '../storage/keys.ts'
import { type Entry, type Page, type PageRequest, pageOf, pageSize } from '../storage/page.ts'
import { queryPartition } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { accessReasons } from './access-sources.ts'
import { type Explanation, explainAccess, reasonsIn } from './explain.ts'
import { folderKey, type Grantee, shareKey, workbookKey } from './keys.ts'
import { fromWorkbook, readAt, type WayUp } from './way-up.ts'

type EmbedAccess = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  readonly workbookId: number
  /** In lower case. Only this tenant, and why it sees the workbook or not. */
  readonly embedTenantName?: string | undefined
}

/** How many times a page looks for further tenants, where those that were found don't count, or are too many for one look. */
const maxLooks = 5

/** The most transactions at a time. */
const maxCalls = 12

/**
 * Lists who can see a workbook: all embed users, if they can, and then the embed tenants by name, each with its own reasons.
 * Shares lie in the partition of what they share, so it reads the workbook, the folders above it, the shares there, and then
 * folders and shares of a few tenants at a time as they are at one moment. So nobody is named who could not see it.
 * @throws Refusal `invalid_cursor`, `workbook_not_found`
 */
export async function listWorkbookEmbedAccess(
  storage: Storage,
  request: EmbedAccess,
): Promise<Page & { readonly explanation?: Explanation }> {
  const { accountId, deploymentId, workbookId, embedTenantName } = request
  const identity = ['workbookEmbedAccess', accountId, deploymentId, workbookId, embedTenantName ?? null]
  const after = request.after === undefined ? ownSortKey : decodeCursor(identity, request.after)
  if (embedTenantName !== undefined) {
    const explanation = await explainAccess(storage, deploymentId, workbookId, embedTenantName)
    if (!explanation) throw new Refusal('workbook_not_found')
    const grantee: Grantee = { type: 'embedTenant', name: embedTenantName }
    const entries = explanation.isSeen && after === ownSortKey ? [entryOf(grantee, reasonsIn(explanation))] : []
    return { ...pageOf(identity, request, entries), explanation }
  }
  const wanted = pageSize(request.first) + 1
  const found = await fromWorkbook(storage, deploymentId, workbookKey(deploymentId, workbookId), async (way) => {
    const entries: Entry[] = []
    let end: string | undefined = after
    for (let looks = 0; end !== undefined && entries.length < wanted && looks < maxLooks; looks += 1) {
      const next = await nextShares(storage, request, way, end, wanted)
      const seen = await whoSees(storage, request, way, next.shares)
      if (!seen) return undefined
      entries.push(...seen)
      end = next.end
    }
    return { entries, end }
  })
  if (!found) throw new Refusal('workbook_not_found')
  return pageOf(identity, request, found.entries, found.end)
}

/** A grantee with what is shared with it: folders by their ids; undefined is the workbook itself. */
type Shares = { readonly sortKey: string; readonly grantee: Grantee; readonly of: readonly (number | undefined)[] }

/**
 * The next grantees in order of their sort keys, who have a share of the workbook or of a folder above it, as many as
 * {@link whoSees} can look at.
 * @returns also up to where all of them were found; undefined: to the end
 */
async function nextShares(
  storage: Storage,
  { deploymentId, workbookId }: EmbedAccess,
  way: WayUp,
  after: string,
  wanted: number,
) {
  const places = [undefined, ...way.folderIds]
  const reads = await Promise.all(
    places.map((folderId) => {
      const { pk } = folderId === undefined ? workbookKey(deploymentId, workbookId) : folderKey(deploymentId, folderId)
      return queryPartition(storage, { partition: pk, after, attributes: ['sk', 'deleted'] }, wanted)
    }),
  )
  const ends = reads.flatMap(({ items, more }) => (more ? [items.at(-1)?.sk as string] : []))
  let end = ends.sort()[0]
  const bySortKey = new Map<string, (number | undefined)[]>()
  for (const [index, { items }] of reads.entries()) {
    for (const { sk } of items.filter(isLive) as { sk: string }[]) {
      if (end === undefined || sk <= end) bySortKey.set(sk, [...(bySortKey.get(sk) ?? []), places[index]])
    }
  }
  const all = [...bySortKey].sort(([a], [b]) => (a < b ? -1 : 1))
  const shares: Shares[] = []
  let room = maxCalls * (keysPerCall - way.folderIds.length - places.length)
  for (const [sortKey, of] of all) {
    room -= of.length
    if (room < 0) {
      end = shares.at(-1)?.sortKey
      break
    }
    const [, name] = partsOfKey(sortKey)
    shares.push({
      sortKey,
      of,
      grantee: name === undefined ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name },
    })
  }
  return { shares, end }
}

/** @returns undefined if a folder has moved meanwhile */
async function whoSees(
  storage: Storage,
  request: EmbedAccess,
  way: WayUp,
  shares: readonly Shares[],
): Promise<Entry[] | undefined> {
  const { accountId, deploymentId, workbookId } = request
  const tenantKey = ({ grantee }: Shares) =>
    grantee.type === 'embedTenant' ? [embedTenantKey(accountId, grantee.name)] : []
  const keyOf = (folderId: number | undefined, grantee: Grantee) =>
    shareKey(
      folderId === undefined ? workbookKey(deploymentId, workbookId) : folderKey(deploymentId, folderId),
      grantee,
    )
  const [tenants, ...parts] = await Promise.all([
    batchGet(storage, shares.flatMap(tenantKey), { attributes: ['deleted'] }),
    ...inParts(shares, keysPerCall - way.folderIds.length).map(async (part) => {
      const read = await readAt(
        storage,
        deploymentId,
        way,
        part.flatMap(({ of, grantee }) => of.map((id) => keyOf(id, grantee))),
      )
      return read && { ...read, part }
    }),
  ])
  const entries: Entry[] = []
  for (const read of parts) {
    if (!read) return undefined
    for (const share of read.part) {
      const { grantee } = share
      const shared = (id: number | undefined) => (isLive(read.itemAt(keyOf(id, grantee))) ? [grantee] : [])
      const folders = read.folders.map((folder) => ({ ...folder, grantees: shared(folder.id) }))
      const reasons = accessReasons(shared(undefined), folders)
      const isThere = tenantKey(share).every((key) => isLive(tenants.get(itemId(key))))
      if (reasons.length > 0 && isThere) entries.push(entryOf(grantee, reasons))
    }
  }
  return entries
}

/** Parts of at most so many shares, those of a grantee in one. Without any, one part still reads where the folders lie. */
function inParts(shares: readonly Shares[], most: number): Shares[][] {
  const parts: Shares[][] = [[]]
  let room = most
  for (const each of shares) {
    if (each.of.length > room) {
      parts.push([])
      room = most
    }
    parts.at(-1)?.push(each)
    room -= each.of.length
  }
  return parts
}

/** It stands at the place of its shares. */
const entryOf = (grantee: Grantee, reasons: ReturnType<typeof accessReasons>): Entry => ({
  position: shareKey({ pk: '' }, grantee).sk,
  json: JSON.stringify({ grantee, reasons }),
})
