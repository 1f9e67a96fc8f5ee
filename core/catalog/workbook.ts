import * as v from 'valibot'
import { publicDashboard } from '../notifications/keys.ts'
import { id } from '../schema.ts'
import { documentBytes } from '../storage/document.ts'
import {
  byFolderPartition,
  folderEntry,
  folderTreePartition,
  largeDocumentBytes,
  treeEntry,
  workbookKey,
} from '../workbooks/keys.ts'
import { Workbook } from '../workbooks/workbook.ts'
import { documentOf, maxStoredBytes, storedDocument } from './documents.ts'
import { kind } from './kind.ts'

export const workbook = kind({
  name: 'workbook',
  table: 'catalog',
  maxDocumentBytes: maxStoredBytes,
  data: Workbook,
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => workbookKey(deploymentId, id),
  item({ folderPath: _, ...workbook }) {
    const { deploymentId, id, folderId = null, publishedDashboard: dashboard } = workbook
    const document = storedDocument(workbook)
    const isLarge = documentBytes(document) > largeDocumentBytes
    return {
      deploymentId,
      id,
      folderId,
      ...(folderId !== null && { contents: byFolderPartition(deploymentId), folderEntry: folderEntry(folderId, id) }),
      ...(isLarge && { tree: folderTreePartition(deploymentId), treeEntry: treeEntry('workbook', id) }),
      ...(dashboard && { dashboardId: dashboard.id, publicId: publicDashboard(deploymentId, dashboard.publicId) }),
      document,
    }
  },
  json: documentOf,
})
