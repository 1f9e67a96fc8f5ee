import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import { type Document, unpackPage } from '../storage/document.ts'
import type { Entry } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'
import { accessReasons, isThere, shareKeys } from './access-sources.ts'
import { type Folder, FolderTree } from './folder-tree.ts'
import type { Hit } from './hits.ts'
import { type Grantee, workbookKey } from './keys.ts'
import { folderIdsIn, folderPlace } from './place.ts'
import { coveringPlace, type SharedFolders } from './shared-folders.ts'

/** What a list of workbooks is read for. */
export type Listing = {
  readonly storage: Storage
  readonly deploymentId: number
  /** Who is looking: the tenant itself, and all embed users. */
  readonly grantees: readonly Grantee[]
  /** Those of them whose direct shares put a workbook on the list. */
  readonly direct: readonly Grantee[]
  readonly shared: SharedFolders
  /** Whether each workbook says why it can be seen. */
  readonly explained: boolean
}

type Seen = {
  readonly entries: readonly Entry[]
  /** Where the last hit was found below a folder that has moved out of all shared ones: the place it was found at. */
  readonly movedOut?: string | undefined
}

/**
 * The hits that can be seen, with all that is shown of them, as far as they fit a page.
 *
 * Indexes say where to look; parents say what is true. So each hit is checked against the folders that its workbook
 * lies in now, which are read anyway for their names.
 */
export async function visible(listing: Listing, hits: readonly Hit[]): Promise<Seen> {
  const { storage, deploymentId, grantees, direct, shared, explained } = listing
  const tree = new FolderTree(storage, deploymentId)
  const keyed = hits.map((hit) => ({ hit, key: workbookKey(deploymentId, hit.id) }))
  const read = await tree.load(
    parents(hits.filter(({ source }) => source === 'folder').map(({ item }) => item)),
    hits.flatMap(({ place }) => folderIdsIn(place)),
    [
      ...keyed.filter(({ hit }) => hit.item.document === undefined).map(({ key }) => key),
      ...(explained ? keyed.flatMap(({ key }) => shareKeys(key.pk, grantees)) : []),
    ],
  )
  await tree.load(parents([...read.values()].filter((item) => 'folderId' in item)))

  const found = keyed.flatMap(({ hit, key }) => {
    const item = hit.item.document ? hit.item : read.get(itemId(key))
    const document = item && documentOf(item)
    const folderId = item ? folderIdOf(item) : null
    return document ? [{ hit, pk: key.pk, document, folderId, folders: tree.chain(folderId) }] : []
  })
  const misplaced = found.filter(({ hit, folders }) => hit.source === 'folder' && !anyShared(folders, shared))
  const keys = misplaced.flatMap(({ pk }) => shareKeys(pk, direct))
  const shares = [...(await batchGet(storage, keys)).values()].filter(isThere)
  const sharedDirectly = new Set(shares.map(({ pk }) => pk))
  const hidden = new Set(misplaced.filter(({ pk }) => !sharedDirectly.has(pk)))
  const shown = found.filter((each) => !hidden.has(each))

  const texts = unpackPage(shown.map(({ document }) => document))
  const entries = texts.map((json, index) => {
    const { hit, pk, folders } = shown[index] as (typeof shown)[number]
    const added = {
      folderPath: folders.map(({ id, name }) => ({ id, name })),
      ...(explained && { accessSources: accessReasons(pk, grantees, read, folders, shared) }),
    }
    return { position: hit.place, json: `${json.slice(0, -1)},${JSON.stringify(added).slice(1)}` }
  })
  const last = misplaced.find(({ hit }) => hit === hits.at(-1))
  return { entries, movedOut: last && movedFolder(last.hit.place, tree.placeIds(last.folderId), shared) }
}

/**
 * The folder that took a workbook out of the shared one that it was found in: of those below the shared one the first that
 * still is above the workbook and that no shared folder lies in. Nothing that lies below it lies in a shared one.
 */
function movedFolder(place: string, ids: readonly number[], { places, above }: SharedFolders): string | undefined {
  const found = folderIdsIn(place)
  const belowShared = folderIdsIn(coveringPlace(places, place) ?? '').length
  const index = found.findIndex((id, depth) => depth >= belowShared && ids.includes(id) && !above.has(id))
  return index === -1 ? undefined : folderPlace(found.slice(0, index + 1))
}

const anyShared = (folders: readonly Folder[], { grantees }: SharedFolders) =>
  folders.some(({ id }) => grantees.has(id))

const parents = (items: readonly Item[]) => items.map(folderIdOf).filter((id) => id !== null)

const folderIdOf = (item: Item): number | null => (item.folderId as number | null | undefined) ?? null

const documentOf = (item: Item) => (item.document ?? item.largeDocument) as Document | undefined
