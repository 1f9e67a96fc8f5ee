import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Item } from '../storage/batch-get.ts'
import { batchGet } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { queryWhole } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { contents } from '../workbooks/keys.ts'
import { endOf, folderPlace, workbookPlace } from '../workbooks/place.ts'
import { rewriteDependents } from './dependents.ts'
import type { Batch } from './kind.ts'

export const moveShares = (storage: Storage, pk: string, place: string): Promise<void> =>
  rewriteDependents(storage, pk, () => ({ place }))

/**
 * Gives all folders and workbooks found below an old place of a folder the places that their parents give them now:
 * folders first, workbooks after. It may be interrupted and started again; what is done is no longer found. The folder
 * itself is left to the caller, since its place says that there is something left to do.
 */
export async function moveContents(batch: Batch, deploymentId: number, oldPlace: string): Promise<void> {
  const tree = batch.tree(deploymentId)
  const below = (type: 'folder' | 'workbook') =>
    queryWhole(batch.storage, {
      index: 'byFolder',
      partition: contents(deploymentId, type),
      from: oldPlace,
      to: endOf(oldPlace),
    })

  for await (const found of below('folder')) {
    const folders = await current(
      batch,
      found.filter(({ place }) => place !== oldPlace),
    )
    await tree.load(folders.map(({ id }) => id as number))
    await inParallel(folders, async (folder) => {
      const id = folder.id as number
      await moveTo(batch.storage, folder, folderPlace([...tree.placeIds(parentOf(folder, 'parentId')), id]))
    })
  }
  for await (const found of below('workbook')) {
    const workbooks = await current(batch, found)
    await tree.load(workbooks.map((workbook) => parentOf(workbook, 'folderId')).filter((id) => id !== null))
    await inParallel(workbooks, async (workbook) => {
      const id = workbook.id as number
      await moveTo(batch.storage, workbook, workbookPlace(tree.placeIds(parentOf(workbook, 'folderId')), id))
    })
  }
}

const parentOf = (item: Item, attribute: 'parentId' | 'folderId') => (item[attribute] ?? null) as number | null

/** The index may be behind: the items themselves say what they are. */
async function current({ storage }: Batch, found: readonly Item[]): Promise<Item[]> {
  const items = await batchGet(storage, found, { consistent: true })
  return [...items.values()].filter(({ contents }) => contents !== undefined)
}

/** Shares first, so that a thing whose own place is right has nothing left to move. Returns the thing as it is then. */
export async function moveTo(storage: Storage, item: Item, place: string): Promise<Item> {
  if (item.place === place) return item
  await moveShares(storage, item.pk, place)
  try {
    const { Attributes } = await storage.client.send(
      new UpdateCommand({
        TableName: storage.tables.catalog,
        Key: { pk: item.pk, sk: item.sk },
        UpdateExpression: 'SET place = :place, version = version + :one',
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':place': place, ':read': item.version, ':one': 1 },
        ReturnValues: 'UPDATED_NEW',
      }),
    )
    return { ...item, ...Attributes }
  } catch (error) {
    // Written by another change meanwhile, which gave it its place by the same parents.
    if (!(error instanceof ConditionalCheckFailedException)) throw error
    return item
  }
}
