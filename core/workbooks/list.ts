import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import { decodeCursor } from '../storage/cursor.ts'
import { type Document, unpack } from '../storage/document.ts'
import { countThatFit, type Entry, type Page, type PageRequest, pageOf, pageSize } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { FolderTree } from './folder-tree.ts'
import { directShares, folderContents, type Hit, type HitSource, nextHits } from './hits.ts'
import { contents, type Grantee, shareIndex, shareSortKey, workbookKey } from './keys.ts'
import { folderIdsIn } from './place.ts'
import { type SharedFolders, sharedFolders } from './shared-folders.ts'

export const accessSources = ['tenant', 'allEmbedUsers', 'folder'] as const
export type AccessSource = (typeof accessSources)[number]

/** What grants access in a list: direct shares with these grantees, folders shared with those. */
type Grants = { readonly direct: readonly Grantee[]; readonly folders: readonly Grantee[] }

export type EmbedTenantWorkbooks = PageRequest & {
  readonly accountId: string
  readonly deploymentId: number
  /** In lower case. */
  readonly embedTenantName: string
  /** Left out: the union of all three. */
  readonly accessSource?: AccessSource | undefined
}

/**
 * The workbooks that an embed tenant can see, in order of place (specification, "List workbooks accessible to an embed
 * tenant"). A workbook has one place, whatever shares come and go, so it comes once in all pages of any source.
 *
 * Indexes say where to look; parents say what is true. So each hit is checked against the folders that its workbook
 * lies in now, which are read anyway for their names.
 */
export async function listEmbedTenantWorkbooks(storage: Storage, request: EmbedTenantWorkbooks): Promise<Page> {
  const { accountId, deploymentId, embedTenantName, accessSource } = request
  const identity = ['embedTenantWorkbooks', accountId, deploymentId, embedTenantName, accessSource ?? null]
  const after = request.after === undefined ? undefined : decodeCursor(identity, request.after)
  const size = pageSize(request.first)
  const grants = grantsOf(embedTenantName, accessSource)
  const shared = await sharedFolders(storage, deploymentId, grants.folders)
  const listing = { storage, deploymentId, grants, shared }
  const [{ entries, more }, begin] = await Promise.all([
    collect(listing, after, size + 1),
    after === undefined ? undefined : collect(listing, undefined, 1),
  ])
  const first = begin?.entries[0]?.position
  const hasPreviousPage = after !== undefined && first !== undefined && first <= after
  return pageOf(identity, entries, { size, more, hasPreviousPage })
}

function grantsOf(embedTenantName: string, source: AccessSource | undefined): Grants {
  const tenant: Grantee = { type: 'embedTenant', name: embedTenantName }
  const all: Grantee = { type: 'allEmbedUsers' }
  switch (source) {
    case 'tenant':
      return { direct: [tenant], folders: [] }
    case 'allEmbedUsers':
      return { direct: [all], folders: [] }
    case 'folder':
      return { direct: [], folders: [tenant, all] }
    case undefined:
      return { direct: [tenant, all], folders: [tenant, all] }
  }
}

type Listing = {
  readonly storage: Storage
  readonly deploymentId: number
  readonly grants: Grants
  readonly shared: SharedFolders
}

/** Visible workbooks behind a place, until as many as wanted or as fit a page. */
async function collect(listing: Listing, after: string | undefined, wanted: number) {
  const { storage, deploymentId, grants, shared } = listing
  const sources: HitSource[] = [
    folderContents(storage, contents(deploymentId, 'workbook'), shared.places, after),
    ...grants.direct.map((grantee) =>
      directShares(storage, shareIndex(deploymentId, 'workbook', grantee), shared.places, after),
    ),
  ]
  const entries: Entry[] = []
  for (;;) {
    const missing = wanted - entries.length
    const hits = await nextHits(sources, missing)
    entries.push(...(await visible(listing, hits)))
    if (hits.length < missing) return { entries, more: false }
    if (entries.length >= wanted || countThatFit(entries, wanted) < entries.length) return { entries, more: true }
  }
}

async function visible({ storage, deploymentId, grants, shared }: Listing, hits: readonly Hit[]): Promise<Entry[]> {
  const tree = new FolderTree(storage, deploymentId)
  const parents = (items: readonly Item[]) => items.map(folderIdOf).filter((id) => id !== null)
  const bodies = hits.filter(({ item }) => item.document === undefined).map(({ id }) => workbookKey(deploymentId, id))
  const read = await tree.load(
    parents(hits.filter(({ source }) => source === 'folder').map(({ item }) => item)),
    hits.flatMap(({ place }) => folderIdsIn(place)),
    bodies,
  )
  await tree.load(parents([...read.values()].filter((item) => 'folderId' in item)))

  const workbookOf = ({ id, item }: Hit) => (item.document ? item : read.get(itemId(workbookKey(deploymentId, id))))
  const throughFolder = (item: Item) => tree.chain(folderIdOf(item)).some(({ id }) => shared.ids.has(id))
  const found = hits.flatMap((hit) => {
    const item = workbookOf(hit)
    return item && documentOf(item) ? [{ hit, item }] : []
  })
  const outOfPlace = found.filter(({ hit, item }) => hit.source === 'folder' && !throughFolder(item))
  const sharedDirectly = await withDirectShare(
    storage,
    outOfPlace.map(({ hit }) => workbookKey(deploymentId, hit.id).pk),
    grants.direct,
  )
  return found
    .filter(({ hit, item }) => hit.source === 'direct' || throughFolder(item) || sharedDirectly.has(item.pk))
    .map(({ hit, item }) => ({
      position: hit.place,
      json: withFolderPath(unpack(documentOf(item) as Document), tree, folderIdOf(item)),
    }))
}

/** Of workbooks found at a place they have left, those that a direct share still shows. */
async function withDirectShare(storage: Storage, partitions: readonly string[], grantees: readonly Grantee[]) {
  const keys = partitions.flatMap((pk) => grantees.map((grantee) => ({ pk, sk: shareSortKey(grantee) })))
  const shares = await batchGet(storage, keys)
  return new Set([...shares.values()].filter((share) => share.deleted !== true).map(({ pk }) => pk))
}

const folderIdOf = (item: Item): number | null => (item.folderId as number | null | undefined) ?? null

const documentOf = (item: Item): unknown => item.document ?? item.largeDocument

/** The stored JSON of a workbook with its derived `folderPath`: root first, the folders' current names. */
function withFolderPath(json: string, tree: FolderTree, folderId: number | null): string {
  const path = tree.chain(folderId).map(({ id, name }) => ({ id, name }))
  return `${json.slice(0, -1)},"folderPath":${JSON.stringify(path)}}`
}
