import * as v from 'valibot'
import { exactly, id, text } from '../schema.ts'
import { folderKey, folderTreePartition, treeEntry } from '../workbooks/keys.ts'
import { kind } from './kind.ts'

export const folder = kind({
  name: 'folder',
  table: 'catalog',
  data: exactly({ deploymentId: id, id, name: text, parentId: v.nullable(id) }),
  identity: v.object({ deploymentId: id, id }),
  key: ({ deploymentId, id }) => folderKey(deploymentId, id),
  item: (data) => ({
    ...data,
    ...(data.parentId !== null && {
      tree: folderTreePartition(data.deploymentId),
      treeEntry: treeEntry('folder', data.id),
    }),
  }),
})
