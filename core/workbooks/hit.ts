import type { Grantee } from './keys.ts'

/** A workbook that an index names. Whether it can be seen is checked by key. */
export type Hit = HitInFolder | DirectHit

export type HitInFolder = { readonly position: string; readonly id: number; readonly folderId: number }

export type DirectHit = {
  readonly position: string
  readonly id: number
  /** With whom it is shared. */
  readonly grantees: readonly Grantee[]
}

/** Hits in order, and whether there are, or may be, more after `end`. */
export type Hits<Found extends Hit = Hit> = {
  readonly hits: readonly Found[]
  /** All up to this position was looked through; nothing where the list ends. */
  readonly end: string | undefined
}
