import * as v from 'valibot'
import { boolean, exactly, id, text } from '../schema.ts'
import { unpack } from '../storage/document.ts'
import { type Item, type ItemKey, isLive } from '../storage/item.ts'
import type { Storage } from '../storage/storage.ts'
import { maxFolderLevels } from '../workbooks/folder-path.ts'
import { Grantee } from '../workbooks/grantee.ts'
import { folderKey, shareKey } from '../workbooks/keys.ts'
import { readAtOneMoment, withWayUp } from './way-up.ts'

/**
 * Why an embed tenant sees a workbook, or does not. `path`: the folders above it, root first, and
 * the workbook itself, each with its shares with the tenant and with all. `end`: the parent that
 * the first of them names but that does not count, and why; null at the top level.
 */
export const Explanation = exactly({
  isSeen: boolean,
  path: v.array(
    exactly({
      type: v.picklist(['folder', 'workbook']),
      id,
      name: text,
      shares: v.array(
        exactly({ grantee: Grantee, state: v.picklist(['shared', 'noLongerShared', 'notShared']) }),
      ),
    }),
  ),
  end: v.nullable(exactly({ folderId: id, why: v.picklist(['deleted', 'missing', 'tooDeep']) })),
})

export type Explanation = Readonly<v.InferOutput<typeof Explanation>>

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
