import { unpack } from '../storage/document.ts'
import { type Item, type ItemKey, isLive } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { maxFolderLevels } from '../workbooks/folder-path.ts'
import type { Grantee } from '../workbooks/grantee.ts'
import { folderKey, shareKey } from '../workbooks/keys.ts'
import type { Explanation } from './explanation.ts'
import { readAtOneMoment, withWayUp } from './way-up.ts'

/** What is known of a thing: `missing` if it has never been there. */
export type State = 'there' | 'deleted' | 'missing'

export function stateOf(item: Item | undefined): State {
  if (!item) return 'missing'
  return isLive(item) ? 'there' : 'deleted'
}

const shareStates = { there: 'shared', deleted: 'noLongerShared', missing: 'notShared' } as const
const endReasons = { there: 'tooDeep', deleted: 'deleted', missing: 'missing' } as const

/**
 * Explains why an embed tenant sees a workbook, or does not, by the rules of the list of workbooks.
 * This reads everything by key. The list finds workbooks by indexes, and may show a change later.
 * @param tenant in lower case
 * @returns the explanation, and the `reasons` why the tenant sees the workbook, in the words of the
 * list. Undefined if the workbook is not there
 */
export function explainAccess(
  storage: Storage,
  deploymentId: number,
  workbookId: number,
  tenant: string,
) {
  const grantees: Grantee[] = [{ type: 'embedTenant', name: tenant }, { type: 'allEmbedUsers' }]
  return withWayUp(storage, deploymentId, workbookId, async (way) => {
    const resources = way.resources.slice(0, maxFolderLevels + 1)
    const keys = resources.flatMap((resource) =>
      grantees.map((grantee) => shareKey(resource, grantee)),
    )
    const read = await readAtOneMoment(storage, way, keys)
    if (!read) return undefined
    const { folders, uncountedParent, itemAt, reasonsOf } = read
    const sharesOf = (resource: ItemKey) =>
      grantees.map((grantee) => ({
        grantee,
        state: shareStates[stateOf(itemAt(shareKey(resource, grantee)))],
      }))
    const { name }: { name: string } = JSON.parse(unpack(way.workbook.document))
    const path: Explanation['path'] = folders.map(({ id, name }) => {
      return { type: 'folder', id, name, shares: sharesOf(folderKey(deploymentId, id)) }
    })
    path.push({ type: 'workbook', id: workbookId, name, shares: sharesOf(way.resources[0]) })
    const endAt = (folderId: number) => ({
      folderId,
      why: endReasons[stateOf(itemAt(folderKey(deploymentId, folderId)))],
    })
    const end = uncountedParent === null ? null : endAt(uncountedParent)
    const reasons = reasonsOf(grantees)
    const explanation: Explanation = { isSeen: reasons.length > 0, path, end }
    return { reasons, explanation }
  })
}
