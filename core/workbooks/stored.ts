import { type Document, documentIn } from '../storage/document.ts'
import { type Item, type ItemKey, isLive, itemId } from '../storage/item.ts'
import type { Grantee } from './grantee.ts'
import { shareKey } from './keys.ts'

/* What items say, as `core/catalog/workbooks.ts` writes them. What is deleted says nothing. */

export type StoredFolder = { readonly name: string; readonly parentId: number | null }

export const folderAttributes = ['name', 'parentId', 'deleted']

export const folderIn = (item: Item | undefined): StoredFolder | undefined =>
  isLive(item) ? { name: String(item.name), parentId: idIn(item.parentId) } : undefined

export type StoredWorkbook = { readonly folderId: number | null; readonly document: Document }

export const workbookAttributes = ['folderId', 'document', 'deleted']

export const workbookIn = (item: Item | undefined): StoredWorkbook | undefined =>
  isLive(item) ? { folderId: idIn(item.folderId), document: documentIn(item) } : undefined

const idIn = (value: unknown) => (typeof value === 'number' ? value : null)

/**
 * Those of the grantees with whom a folder or workbook is shared.
 * @param shares items of shares, by {@link itemId}
 */
export const granteesIn = (
  shares: ReadonlyMap<string, Item>,
  resource: ItemKey,
  grantees: readonly Grantee[],
): Grantee[] =>
  grantees.filter((grantee) => isLive(shares.get(itemId(shareKey(resource, grantee)))))
