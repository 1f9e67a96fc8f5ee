import * as v from 'valibot'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { exactly, id, oneOf, textOf } from '../schema.ts'
import { maxDocumentBytes, pack } from '../storage/document.ts'
import { ownKey } from '../storage/keys.ts'
import { bytesInAnswer, pageBytes } from '../storage/page.ts'
import {
  deploymentPartition,
  folderEntry,
  folderKey,
  largeDocumentBytes,
  publicIdPartition,
  resourceEntry,
  shareIndex,
  shareKey,
  workbookKey,
} from '../workbooks/keys.ts'
import { Workbook } from '../workbooks/workbook.ts'
import { kind, requireAtMost } from './kind.ts'
import { nameEmbedTenant } from './named-tenants.ts'

export const folder = kind({
  name: 'folder',
  data: exactly({ deploymentId: id, id, name: textOf(1, 256), parentId: v.nullable(id) }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => folderKey(deploymentId, id),
  item(folder) {
    const { deploymentId, id, parentId } = folder
    if (parentId === null) return folder
    const tree = deploymentPartition(deploymentId)
    return { ...folder, tree, treeEntry: resourceEntry('folder', id) }
  },
})

export const workbook = kind({
  name: 'workbook',
  maxDocumentBytes: pageBytes,
  data: Workbook,
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => workbookKey(deploymentId, id),
  // `folderPath` is not stored, since it follows from the folders.
  item({ folderPath, ...workbook }) {
    const { deploymentId, id, folderId = null, publishedDashboard } = workbook
    const json = JSON.stringify(workbook)
    // A page may have this document alone. Its folders and reasons need the rest of the answer.
    const inAnswer = 'the document has, with quotation marks and backslashes counted twice,'
    requireAtMost(pageBytes, inAnswer, bytesInAnswer(json))
    const document = pack(json)
    const storedBytes = Buffer.byteLength(document)
    requireAtMost(maxDocumentBytes, 'the compressed document has', storedBytes)
    const isLarge = storedBytes > largeDocumentBytes
    return {
      deploymentId,
      id,
      folderId,
      ...(folderId !== null && {
        contents: deploymentPartition(deploymentId),
        folderEntry: folderEntry(folderId, id),
      }),
      ...(isLarge && {
        tree: deploymentPartition(deploymentId),
        treeEntry: resourceEntry('workbook', id),
      }),
      ...(publishedDashboard && {
        dashboardId: publishedDashboard.id,
        publicId: publicIdPartition(deploymentId, publishedDashboard.publicId),
      }),
      document,
    }
  },
})

const Share = exactly({
  deploymentId: id,
  resource: exactly({ type: oneOf(['workbook', 'folder']), id }),
  grantee: v.variant(
    'type',
    [
      exactly({ type: v.literal('embedTenant'), name: embedTenantNameInAnyCase }),
      exactly({ type: v.literal('allEmbedUsers') }),
    ],
    'must be {type: "embedTenant", name} or {type: "allEmbedUsers"}',
  ),
})

export const share = kind({
  name: 'share',
  data: Share,
  identity: Share,
  key: ({ deploymentId, resource: { type, id }, grantee }) =>
    shareKey(ownKey(deploymentId, type, id), grantee),
  item(data) {
    const { attribute, partition } = shareIndex(data.deploymentId, data.grantee)
    return {
      ...data,
      [attribute]: partition,
      shared: resourceEntry(data.resource.type, data.resource.id),
    }
  },
  async followUp(writer, { change: { op, data } }) {
    const { deploymentId, grantee } = data
    if (op === 'put' && grantee.type === 'embedTenant')
      await nameEmbedTenant(writer, deploymentId, grantee.name)
  },
})
