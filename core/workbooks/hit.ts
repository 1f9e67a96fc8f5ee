import type { Grantee } from './grantee.ts'

/** A workbook that an index names. Whether it can be seen is checked by key. */
export type Hit = {
  readonly position: string
  readonly id: number
  /** The folder by which the index names it. Only a direct share names no folder. */
  readonly folderId?: number
  /** With whom it is shared directly. None if a folder names it. */
  readonly grantees: readonly Grantee[]
}

/** A query of an index takes half a unit for up to this many entries. */
export const freeEntries = 40

/** All hits up to `searchedTo`, in order. This position is undefined at the end of the list. */
export type Hits = { readonly hits: readonly Hit[]; readonly searchedTo: string | undefined }

/**
 * A position in the list of workbooks is text that sorts like the list:
 *
 *   fb12a5  workbook 5 in folder 12: `f` and its sort key in `byFolder`
 *   wa5     workbook 5, shared directly: the sort key of the share
 *
 * A longer text comes after the position that it begins with. So `fb12` is before all of folder 12,
 * `fb12~` is after folder 12, and `w` is before all direct shares.
 */
export const startOfDirect = 'w'

export const isDirect = (position: string): boolean => position >= startOfDirect
