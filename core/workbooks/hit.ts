import type { Grantee } from './grantee.ts'

/**
 * A workbook that an index names, by a folder or by direct shares. Whether it can be seen is
 * checked by key.
 */
export type Hit = {
  readonly position: string
  readonly id: number
  /** The folder that gives it. */
  readonly folderId?: number
  /** With whom it is shared directly. */
  readonly grantees: readonly Grantee[]
}

/** Hits in order. Everything up to `end` was looked through; undefined: to the end of the list. */
export type Hits = { readonly hits: readonly Hit[]; readonly end: string | undefined }
