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

/** Hits in order. If there is an `end`, there may be more after it. */
export type Hits<Found extends Hit = Hit> = {
  readonly hits: readonly Found[]
  /** Everything up to this position was looked through; undefined at the end of the list. */
  readonly end: string | undefined
}
