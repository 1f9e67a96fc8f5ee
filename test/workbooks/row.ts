import { byFolderPartition, folderEntry, workbookKey } from '@embed-access/core/workbooks/keys.ts'
import { allEmbedUsers, embedTenant, folder, share, workbook } from '../support/catalog.ts'
import { MemoryTables } from '../support/memory-tables.ts'
import { range } from './range.ts'

const north = embedTenant('north')

/** Workbooks of which only the entries in the index by folder count. */
function addStrangers(catalog: MemoryTables, folderId: number, ids: readonly number[]): void {
  for (const id of ids) {
    const entry = { contents: byFolderPartition(1), folderEntry: folderEntry(folderId, id) }
    catalog.put('catalog', { ...workbookKey(1, id), ...entry })
  }
}

/**
 * Folders at the top level, each with its number of workbooks. Some are shared with the tenant or with all.
 * @returns also the ids of the workbooks in shared folders, in the order of the list
 */
export function rowOfFolders(
  count: number,
  isShared: (index: number) => boolean,
  sizeOf: (index: number) => number,
  more: object = {},
) {
  const catalog = new MemoryTables()
  const due: number[] = []
  let id = 1
  for (const index of range(count, 0)) {
    catalog.add([folder(1, index, null)])
    if (isShared(index)) catalog.add([share(1, 'folder', index, index % 2 ? north : allEmbedUsers)])
    const ids = range(sizeOf(index), id)
    if (isShared(index)) catalog.add(ids.map((id) => workbook(1, id, { folderId: index, ...more })))
    else addStrangers(catalog, index, ids)
    if (isShared(index)) due.push(...ids)
    id += ids.length
  }
  return { catalog, due }
}
