import { type Item, type ItemKey, isLive } from '../storage/batch-get.ts'
import { type Document, unpack } from '../storage/document.ts'
import type { Storage } from '../storage/storage.ts'
import { type AccessReason, accessReasons } from '../workbooks/access-sources.ts'
import { maxFolderLevels } from '../workbooks/folder-path.ts'
import { folderKey, type Grantee, type ResourceType, shareKey, workbookKey } from '../workbooks/keys.ts'
import { fromWorkbook, readAt } from './way-up.ts'

/** What is known of a thing: `missing` if it has never been there. */
export type State = 'there' | 'deleted' | 'missing'

export const stateOf = (item: Item | undefined): State => (isLive(item) ? 'there' : item ? 'deleted' : 'missing')

type ShareState = 'shared' | 'noLongerShared' | 'notShared'

/** Why an embed tenant sees a workbook, or does not. */
export type Explanation = {
  readonly isSeen: boolean
  /** The folders above the workbook, root first, and the workbook itself, each with its shares with the tenant and with all. */
  readonly path: readonly {
    readonly type: ResourceType
    readonly id: number
    readonly name: string
    readonly shares: readonly { readonly grantee: Grantee; readonly state: ShareState }[]
  }[]
  /** The folder in which the first one of the path is said to lie, and why it does not count. Null at the top. */
  readonly end: { readonly folderId: number; readonly why: 'deleted' | 'missing' | 'tooDeep' } | null
}

const shareStates = { there: 'shared', deleted: 'noLongerShared', missing: 'notShared' } as const
const endReasons = { there: 'tooDeep', deleted: 'deleted', missing: 'missing' } as const

/**
 * Explains by the rules of the list, but reads everything by key. A list may take as long to show it as the indexes take.
 * @param tenant in lower case
 * @returns undefined if the workbook is not there
 */
export function explainAccess(
  storage: Storage,
  deploymentId: number,
  workbookId: number,
  tenant: string,
): Promise<Explanation | undefined> {
  const grantees: Grantee[] = [{ type: 'embedTenant', name: tenant }, { type: 'allEmbedUsers' }]
  const own = workbookKey(deploymentId, workbookId)
  return fromWorkbook(storage, deploymentId, own, async (way) => {
    const resources = [own, ...way.folderIds.slice(0, maxFolderLevels).map((id) => folderKey(deploymentId, id))]
    const keys = resources.flatMap((resource) => grantees.map((grantee) => shareKey(resource, grantee)))
    const read = await readAt(storage, deploymentId, way, keys)
    if (!read) return undefined
    const { folders, end, itemAt } = read
    const sharesOf = (resource: ItemKey) =>
      grantees.map((grantee) => ({ grantee, state: shareStates[stateOf(itemAt(shareKey(resource, grantee)))] }))
    const { name } = JSON.parse(unpack(way.workbook.document as Document)) as { name: string }
    const path = [
      ...folders.map(({ id, name }) => ({ type: 'folder' as const, id, name, at: folderKey(deploymentId, id) })),
      { type: 'workbook' as const, id: workbookId, name, at: own },
    ].map(({ at, ...place }) => ({ ...place, shares: sharesOf(at) }))
    return {
      isSeen: path.some(({ shares }) => shares.some(({ state }) => state === 'shared')),
      path,
      end: end === null ? null : { folderId: end, why: endReasons[stateOf(itemAt(folderKey(deploymentId, end)))] },
    }
  })
}

/** The facts as the list of workbooks has them. */
export function reasonsIn({ path }: Explanation): AccessReason[] {
  const places = path.map((place) => ({
    ...place,
    grantees: place.shares.flatMap(({ grantee, state }) => (state === 'shared' ? [grantee] : [])),
  }))
  // Stryker disable next-line OptionalChaining,ArrayDeclaration: The last one is the workbook.
  return accessReasons(places.at(-1)?.grantees ?? [], places.slice(0, -1))
}
