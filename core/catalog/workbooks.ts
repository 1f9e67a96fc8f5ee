import * as v from 'valibot'
import { publicDashboard } from '../notifications/keys.ts'
import { id } from '../schema.ts'
import type { Item } from '../storage/batch-get.ts'
import { documentBytes } from '../storage/document.ts'
import { contents, folderKey, workbookKey } from '../workbooks/keys.ts'
import { workbookPlace } from '../workbooks/place.ts'
import { Workbook } from '../workbooks/workbook.ts'
import { endWithDependents, finishEnding, noteAwaited } from './dependents.ts'
import { storedDocument } from './documents.ts'
import { type Batch, kind } from './kind.ts'
import { moveTo } from './move.ts'
import { isLive, putRecord } from './record.ts'

/** Larger documents are left out of the folder index, so that a page's worth of index entries is one Query. */
const mostIndexedBytes = 8 * 1024

export const workbook = kind({
  table: 'catalog',
  holdsDocument: true,
  data: Workbook,
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => workbookKey(deploymentId, id),
  async prepare(batch, changes) {
    const folderIds = new Map<number, number[]>()
    for (const { op, data } of changes) {
      if (op !== 'put' || data.folderId == null) continue
      folderIds.set(data.deploymentId, [...(folderIds.get(data.deploymentId) ?? []), data.folderId])
    }
    for (const [deploymentId, ids] of folderIds) await batch.tree(deploymentId).load(ids)
  },
  async apply(batch, change, { previous: found }) {
    const { storage } = batch
    const { deploymentId, id } = change.data
    const key = workbookKey(deploymentId, id)
    if (change.op === 'delete') {
      await endWithDependents(storage, found, key, change.revision)
      return 'applied'
    }
    const { folderPath, ...workbook } = change.data
    const document = storedDocument(workbook)
    const folderId = workbook.folderId ?? null
    const previous = await settled(batch, deploymentId, found)
    const tree = batch.tree(deploymentId)
    await tree.load(folderId === null ? [] : [folderId])
    if (folderId !== null && !tree.get(folderId)) await noteAwaited(storage, folderKey(deploymentId, folderId))
    const place = workbookPlace(tree.placeIds(folderId), id)
    const dashboard = workbook.publishedDashboard
    const item = {
      ...key,
      id,
      folderId,
      place: previous ? previous.place : place,
      contents: contents(deploymentId, 'workbook'),
      ...(documentBytes(document) > mostIndexedBytes ? { largeDocument: document } : { document }),
      ...(dashboard && { dashboardId: dashboard.id, publicId: publicDashboard(deploymentId, dashboard.publicId) }),
    }
    const written = await putRecord(storage, 'catalog', previous, item, change.revision)
    await moveTo(storage, written, place)
    return 'applied'
  },
})

/**
 * The workbook with what an interrupted change has left to do done. A workbook moves as a folder does: its folder first,
 * then the places of its shares, its own place last.
 */
async function settled(batch: Batch, deploymentId: number, found: Item | undefined) {
  const workbook = await finishEnding(batch.storage, found)
  if (!isLive(workbook)) return workbook
  const folderId = workbook.folderId as number | null
  const folders = batch.tree(deploymentId)
  await folders.load(folderId === null ? [] : [folderId])
  return moveTo(batch.storage, workbook, workbookPlace(folders.placeIds(folderId), workbook.id as number))
}
