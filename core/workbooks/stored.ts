import { type Item, isLive } from '../storage/batch-get.ts'
import { type Document, documentIn } from '../storage/document.ts'

/* What items say, as `core/catalog/workbooks.ts` writes them. What is deleted says nothing. */

export type StoredFolder = { readonly name: string; readonly parentId: number | null }

export const folderAttributes = ['name', 'parentId', 'deleted']

export const folderIn = (item: Item | undefined): StoredFolder | undefined =>
  isLive(item) ? (item as Item & StoredFolder) : undefined

export type StoredWorkbook = { readonly folderId: number | null; readonly document: Document }

export const workbookAttributes = ['folderId', 'document', 'deleted']

export const workbookIn = (item: Item | undefined): StoredWorkbook | undefined =>
  isLive(item) ? { folderId: folderIdIn(item), document: documentIn(item) } : undefined

const folderIdIn = ({ folderId }: Item) => (typeof folderId === 'number' ? folderId : null)

/** A folder in `folderTree`, or a large workbook, which has no parent. */
export type TreeEntry = { readonly treeEntry: string; readonly parentId?: number }

/** The attributes of these indexes are in each of their items. */
export const treeEntryIn = (item: Item) => item as Item & TreeEntry
export const folderEntryIn = ({ folderEntry }: Item) => folderEntry as string
export const sharedIn = ({ shared }: Item) => shared as string
