import { type Document, documentIn } from '../storage/document.ts'
import { type Item, isLive } from '../storage/item.ts'

/* What items say, as `core/catalog/workbooks.ts` writes them. What is deleted says nothing. */

export type StoredFolder = { readonly name: string; readonly parentId: number | null }

export const folderAttributes = ['name', 'parentId', 'deleted']

export const folderIn = (item: Item | undefined): StoredFolder | undefined =>
  isLive(item) ? { name: String(item.name), parentId: idIn(item.parentId) } : undefined

export type StoredWorkbook = { readonly folderId: number | null; readonly document: Document }

export const workbookAttributes = ['folderId', 'document', 'deleted']

export const workbookIn = (item: Item | undefined): StoredWorkbook | undefined =>
  isLive(item) ? { folderId: idIn(item.folderId), document: documentIn(item) } : undefined

/** The folder of a workbook that is there, null at the top level. */
export const folderIdIn = (item: Item | undefined): number | null | undefined =>
  isLive(item) ? idIn(item.folderId) : undefined

const idIn = (value: unknown) => (typeof value === 'number' ? value : null)

/** A folder in `folderTree`, or a large workbook, which has no parent. */
export type TreeEntry = { readonly treeEntry: string; readonly parentId: number | null }

/** The attributes of these indexes are in each of their items. */
export const treeEntryIn = ({ treeEntry, parentId }: Item): TreeEntry => ({
  treeEntry: String(treeEntry),
  parentId: idIn(parentId),
})
export const folderEntryIn = ({ folderEntry }: Item) => String(folderEntry)
export const sharedIn = ({ shared }: Item) => String(shared)
