import { batchGet, callsFor, type Item, type ItemKey, isLive, itemId } from '../storage/batch-get.ts'
import { type Document, unpackPage } from '../storage/document.ts'
import type { Entry } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { accessReasons } from './access-sources.ts'
import type { Budget } from './budget.ts'
import { Facts } from './facts.ts'
import type { FolderMap } from './folder-map.ts'
import { type Folder, maxFolderLevels } from './folder-path.ts'
import type { Hit } from './hit.ts'
import { folderKey, type Grantee, shareSortKey, workbookKey } from './keys.ts'

/** Whose list of workbooks is read, where it looks, and what it may take. */
export type Listing = {
  readonly storage: Storage
  readonly deploymentId: number
  /** Who looks: the tenant itself and all embed users. */
  readonly grantees: readonly Grantee[]
  /** The grantees of each shared folder, as the indexes have them. */
  readonly shared: ReadonlyMap<number, readonly Grantee[]>
  /** The folders whose workbooks the list has before those that are shared directly. */
  readonly inFolders: ReadonlySet<number>
  readonly folders: FolderMap
  /** Whether each workbook says why it can be seen. */
  readonly isExplained: boolean
  readonly budget: Budget
}

type Seen = {
  readonly entries: readonly Entry[]
  /** Whether each of the other hits can be seen. */
  readonly others: readonly boolean[]
  /** How many hits were checked: not all if that would have taken too much. */
  readonly checked: number
  /** Folders whose workbooks cannot be seen, though the index has them in or below a shared folder. */
  readonly hiddenFolderIds: ReadonlySet<number>
}

type Found = {
  readonly hit: Hit
  /** The partition key of the workbook. */
  readonly pk: string
  readonly folderId: number | null
  readonly document?: Document | undefined
}

/**
 * The workbooks that can be seen, of those that indexes name. Indexes say where to look, this says what is true, by key
 * and consistently, in this order (docs/design.md#how-the-list-of-workbooks-is-read):
 *
 *   the workbook ──▶ the folders above it ──▶ the share
 *
 * In the other order, somebody could take a folder's share away and then put a workbook into it, and the workbook would
 * be shown.
 * @param others hits of which only this is asked, in the last of these rounds
 */
export async function visible(listing: Listing, hits: readonly Hit[], others: readonly Hit[] = []): Promise<Seen> {
  const { storage, deploymentId, budget } = listing
  const keyed = hits.map((hit) => ({ hit, key: workbookKey(deploymentId, hit.id) }))
  if (hits.length > 0) budget.spend(callsFor(hits.length))
  const attributes = ['folderId', 'document', 'deleted']
  const items = await batchGet(
    storage,
    keyed.map(({ key }) => key),
    { consistent: true, attributes },
  )
  const found = keyed.flatMap(({ hit, key }) => foundAt(hit, key.pk, items.get(itemId(key))))

  const facts = new Facts(storage, deploymentId)
  const known = await readFacts(listing, facts, found, others)
  const accessTo = accessBy(listing, facts)
  const judged = known.map(({ hit, document, ...where }) => ({ hit, document, access: accessTo({ hit, ...where }) }))
  const shown = judged.filter(
    (workbook): workbook is typeof workbook & { access: Access } => workbook.access !== undefined,
  )
  const texts = unpackPage(shown.map(({ document }) => document as Document))
  const entries = texts.map((json, index) => {
    const { hit, access } = shown[index] as (typeof shown)[number]
    const { folders, path, direct } = access
    const reasons = listing.isExplained ? `,"accessSources":${JSON.stringify(accessReasons(direct, folders))}` : ''
    return { position: hit.position, json: `${json.slice(0, -1)},"folderPath":${path}${reasons}}` }
  })
  const firstUnknown = found[known.length]?.hit
  return {
    entries,
    others: others.map((hit) => foundIn(listing, facts)(hit).some(accessTo)),
    checked: firstUnknown ? hits.indexOf(firstUnknown) : hits.length,
    hiddenFolderIds: new Set(
      judged.flatMap(({ hit, access }) => ('folderId' in hit && access === undefined ? [hit.folderId] : [])),
    ),
  }
}

/** Empty if a folder gave the workbook and the workbook is in another folder now. */
function foundAt(hit: Hit, pk: string, item: Item | undefined): Found[] {
  if (!isLive(item)) return []
  const folderId = (item.folderId as number | null | undefined) ?? null
  if ('folderId' in hit && hit.folderId !== folderId) return []
  return [{ hit, pk, folderId, document: item.document as Document | undefined }]
}

const foundIn =
  ({ deploymentId }: Listing, facts: Facts) =>
  (hit: Hit): Found[] => {
    const key = workbookKey(deploymentId, hit.id)
    return foundAt(hit, key.pk, facts.get(key))
  }

/**
 * Reads the folders above workbooks and the shares that show them: those that the map has above it, in one round, and
 * more where folders have moved since. The path from a folder is then read again, whole, as it has to be at one moment.
 * @returns the workbooks, up to the first whose folders the page cannot read any more
 */
async function readFacts(
  listing: Listing,
  facts: Facts,
  found: readonly Found[],
  others: readonly Hit[],
): Promise<readonly Found[]> {
  const { deploymentId, inFolders, folders, budget } = listing
  const workbooks = others.map(({ id }) => workbookKey(deploymentId, id))
  const expected = others.map((hit, index): Found => {
    const { pk } = workbooks[index] as ItemKey
    return { hit, pk, folderId: 'folderId' in hit ? hit.folderId : null }
  })
  let known = found
  let open = [...found, ...expected]
  for (let isFirst = true; ; ) {
    const paths = [...new Set(open.map(({ folderId }) => folderId))].map((folderId) => {
      const { folders: known, unread } = facts.foldersFrom(folderId)
      const missing = unread === undefined ? [] : folders.pathFrom(unread)
      const path = [...known.map(({ id }) => id).reverse(), ...missing].slice(0, maxFolderLevels + 1)
      return {
        folderId,
        folders: path.map((id) => folderKey(deploymentId, id)),
        shares: path.flatMap((id) => folderShares(listing, id)),
      }
    })
    const rest = [...open.flatMap((workbook) => directShares(listing, workbook)), ...(isFirst ? workbooks : [])]
    if (!(await facts.read(paths, rest, budget))) {
      const firstOpen = known.findIndex((workbook) => open.includes(workbook))
      if (!isFirst || known.length === 0) return firstOpen === -1 ? known : known.slice(0, firstOpen)
      // Half of them takes less, and one of them can always be read.
      known = known.slice(0, Math.floor(known.length / 2))
      open = open.filter((workbook) => known.includes(workbook) || others.includes(workbook.hit))
      continue
    }
    if (isFirst)
      open.push(...others.flatMap(foundIn(listing, facts)).filter(({ folderId }) => inFolders.has(folderId ?? -1)))
    const unknown = new Set(
      [...new Set(open.map(({ folderId }) => folderId))].filter((id) => facts.foldersFrom(id).unread !== undefined),
    )
    open = open.filter(({ folderId }) => unknown.has(folderId))
    if (open.length === 0) return known
    isFirst = false
  }
}

/**
 * The direct shares to check: those by which the workbook was found, or all of them if each workbook says why it is
 * seen.
 */
const directShares = (listing: Listing, { hit, pk }: Found) =>
  checkedGrantees(listing, hit).map((grantee) => ({ pk, sk: shareSortKey(grantee) }))

const checkedGrantees = ({ grantees, isExplained }: Listing, hit: Hit): readonly Grantee[] =>
  isExplained ? grantees : 'grantees' in hit ? hit.grantees : []

const folderShares = ({ deploymentId, shared }: Listing, folderId: number) =>
  (shared.get(folderId) ?? []).map((grantee) => folderShare(deploymentId, folderId, grantee))

const folderShare = (deploymentId: number, folderId: number, grantee: Grantee) => ({
  pk: folderKey(deploymentId, folderId).pk,
  sk: shareSortKey(grantee),
})

type Access = {
  readonly folders: readonly (Folder & { readonly grantees: readonly Grantee[] })[]
  /** The folders' ids and names as JSON. */
  readonly path: string
  readonly direct: readonly Grantee[]
}

/** Tells where a workbook lies and who shares it, if its hit is one that the list shows. All facts were read before. */
function accessBy(listing: Listing, facts: Facts) {
  const { deploymentId, shared, inFolders } = listing
  const locations = new Map<number | null, Pick<Access, 'folders' | 'path'>>()
  const locate = (folderId: number | null) => {
    const folders = facts.foldersFrom(folderId).folders.map((folder) => ({
      ...folder,
      grantees: (shared.get(folder.id) ?? []).filter((grantee) =>
        facts.isShared(folderId, folderShare(deploymentId, folder.id, grantee)),
      ),
    }))
    const location = { folders, path: JSON.stringify(folders.map(({ id, name }) => ({ id, name }))) }
    locations.set(folderId, location)
    return location
  }
  return ({ hit, pk, folderId }: Found): Access | undefined => {
    const location = locations.get(folderId) ?? locate(folderId)
    const direct = checkedGrantees(listing, hit).filter((grantee) => facts.get({ pk, sk: shareSortKey(grantee) }))
    const isInShared = location.folders.some(({ grantees }) => grantees.length > 0)
    if ('folderId' in hit) return isInShared ? { ...location, direct } : undefined
    const cameBefore = isInShared && folderId !== null && inFolders.has(folderId)
    return hit.grantees.some((grantee) => direct.includes(grantee)) && !cameBefore ? { ...location, direct } : undefined
  }
}
