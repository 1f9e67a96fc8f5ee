import { ascending } from '../storage/keys.ts'
import { folderEntry } from './keys.ts'

/**
 * A workbook's position in the list, as text that sorts like the list: first what folders give, by folder and workbook,
 * then what is shared directly, by workbook.
 *
 *   fb12a5  workbook 5 in folder 12
 *   wa5     workbook 5, shared directly
 *
 * A longer text that begins with a position comes after it, so `fb12` is before all of folder 12, and `fb12~` after it.
 */
export const folderPosition = (folderId: number, workbookId: number): string => `f${folderEntry(folderId, workbookId)}`

export const directPosition = (workbookId: number): string => `w${ascending(workbookId)}`

/** Before all that is shared directly, after all that folders give. */
export const startOfDirect = 'w'

/** The workbook at a position, and the folder that gives it. Undefined if a page ended between two workbooks. */
export function workbookAt(position: string): { readonly id: number; readonly folderId?: number } | undefined {
  const [, folder, id] = /^(?:f[a-p](\d+)|w)[a-p](\d+)$/.exec(position) ?? []
  if (id === undefined) return undefined
  return { id: Number(id), ...(folder !== undefined && { folderId: Number(folder) }) }
}
