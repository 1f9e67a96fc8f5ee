import type { Storage } from '../storage/storage.ts'
import type { Grantee } from './grantee.ts'

/** What a page of workbooks looks for. */
export type Search = {
  readonly storage: Storage
  readonly deploymentId: number
  /** Who looks: the tenant itself and all embed users. */
  readonly grantees: readonly Grantee[]
  /** Those whose direct shares put a workbook on the list. */
  readonly directGrantees: readonly Grantee[]
  /** Whether shared folders put workbooks on the list. */
  readonly inFolders: boolean
  /** Whether each workbook says why it can be seen. */
  readonly withReasons: boolean
  /** The round trips that the page has left. Calls that are made at once are one round trip. */
  readonly trips: { left: number }
}
