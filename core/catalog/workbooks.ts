import * as v from 'valibot'
import { publicDashboard } from '../notifications/keys.ts'
import { id } from '../schema.ts'
import { documentBytes, pack } from '../storage/document.ts'
import { contents, folderKey, workbookKey } from '../workbooks/keys.ts'
import { workbookPlace } from '../workbooks/place.ts'
import { Workbook } from '../workbooks/workbook.ts'
import { endDependents, noteAwaited, rewriteDependents } from './dependents.ts'
import { kind } from './kind.ts'
import { endRecord, NotApplicable, putRecord } from './record.ts'

/** Larger documents are left out of the folder index, so that a page's worth of index entries is one Query. */
const mostIndexedBytes = 8 * 1024

/** An item of DynamoDB has at most 400 KB; keys and index attributes take the rest. */
const mostDocumentBytes = 390 * 1024

export const workbook = kind({
  table: 'catalog',
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
  async apply(batch, change, { previous }) {
    const { storage } = batch
    const { deploymentId, id } = change.data
    const key = workbookKey(deploymentId, id)
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, key, change.revision)
      await endDependents(storage, key.pk)
      return 'applied'
    }
    const { folderPath, ...workbook } = change.data
    const document = storedDocument(workbook)
    const folderId = workbook.folderId ?? null
    const tree = batch.tree(deploymentId)
    await tree.load(folderId === null ? [] : [folderId])
    if (folderId !== null && !tree.get(folderId)) await noteAwaited(storage, folderKey(deploymentId, folderId))
    const place = workbookPlace(tree.placeIds(folderId), id)
    // Shares first: interrupted here, the workbook's place still says that the move has to be done.
    if (previous && previous.place !== place) await rewriteDependents(storage, key.pk, () => ({ place }))
    const dashboard = workbook.publishedDashboard
    const item = {
      ...key,
      id,
      folderId,
      place,
      contents: contents(deploymentId, 'workbook'),
      ...document,
      ...(dashboard && { dashboardId: dashboard.id, publicId: publicDashboard(deploymentId, dashboard.publicId) }),
    }
    await putRecord(storage, 'catalog', previous, item, change.revision)
    return 'applied'
  },
})

function storedDocument(workbook: object) {
  const document = pack(workbook)
  const bytes = documentBytes(document)
  if (bytes > mostDocumentBytes) {
    throw new NotApplicable('', `has ${bytes} bytes when compressed; at most ${mostDocumentBytes} can be stored`)
  }
  return bytes > mostIndexedBytes ? { largeDocument: document } : { document }
}
