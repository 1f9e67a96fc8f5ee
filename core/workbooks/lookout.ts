import type { Storage } from '../storage/storage.ts'
import type { Budget } from './budget.ts'
import { directHits } from './direct-hits.ts'
import { folderHits } from './folder-hits.ts'
import { readFolderMap } from './folder-map.ts'
import type { Hit, Hits } from './hit.ts'
import type { Grantee } from './keys.ts'
import { startOfDirect } from './position.ts'
import { SharesWith } from './shares-with.ts'
import type { Listing } from './visible.ts'

type Search = {
  readonly deploymentId: number
  readonly grantees: readonly Grantee[]
  /** Those whose direct shares put a workbook on the list. */
  readonly directGrantees: readonly Grantee[]
  /** Whether shared folders put workbooks on the list. */
  readonly inFolders: boolean
  readonly isExplained: boolean
  /** The position after which the page begins. */
  readonly after: string
  readonly size: number
  readonly budget: Budget
}

type Next = (after: string, wanted: number) => Promise<Hits>

/** Where the workbooks of a list are found. */
export type Lookout = {
  readonly listing: Listing
  readonly direct: readonly Grantee[]
  /** The next workbooks after a position. */
  readonly next: Next
  /** Looks no further into folders that turned out not to be shared, or not to be there. */
  readonly leaveOut: (folderIds: ReadonlySet<number>) => void
  /** The same as {@link next}, for a reader who begins at the start of the list. */
  readonly restart: () => Next
}

/** Reads, side by side, with whom folders are shared, the first direct shares, and which folder lies in which. */
export async function lookout(storage: Storage, search: Search): Promise<Lookout> {
  const { deploymentId, grantees, directGrantees, inFolders, isExplained, after, size, budget } = search
  const isDirect = !inFolders || after >= startOfDirect
  const limit = Math.max(minShares, sharesPerItem * size)
  const shares = grantees.map((grantee) => new SharesWith(storage, deploymentId, grantee, after))
  const direct = shares.filter(({ grantee }) => directGrantees.includes(grantee))
  const reads = shares.flatMap((each) => {
    if (inFolders && !isDirect && direct.includes(each)) return [each.readFoldersAndFirstWorkbooks(limit)]
    return [
      ...(inFolders || isExplained ? [each.readFolders()] : []),
      ...(isDirect && direct.includes(each) ? [each.readWorkbooks(Math.max(minShares, 2 * size))] : []),
    ]
  })
  const [[folders, spentOnMap], ...spent] = await Promise.all([readFolderMap(storage, deploymentId), ...reads])
  const all = [spentOnMap, ...spent]
  budget.spend(
    all.reduce((sum, { calls }) => sum + calls, 0),
    Math.max(...all.map(({ roundTrips }) => roundTrips)),
  )
  budget.leaveAtLeast(50, 5)

  const shared = new Map<number, Grantee[]>()
  for (const { grantee, folderIds } of shares) {
    for (const id of folderIds) shared.set(id, [...(shared.get(id) ?? []), grantee])
  }
  const inShared = inFolders ? folders.withAllBelow(new Set(shared.keys())) : []
  let wanted = inShared
  const nextOf =
    (direct: readonly SharesWith[]): Next =>
    async (after, wantedHits) => {
      const found: Hit[] = []
      if (after < startOfDirect) {
        const { hits, end } = await folderHits(storage, deploymentId, wanted, after, wantedHits, budget)
        if (end !== undefined) return { hits, end }
        found.push(...hits)
      }
      const from = after < startOfDirect ? startOfDirect : after
      const { hits, end } = await directHits(direct, from, wantedHits - found.length, budget)
      return { hits: [...found, ...hits], end }
    }
  return {
    listing: { storage, deploymentId, grantees, shared, inFolders: new Set(inShared), folders, isExplained, budget },
    direct: directGrantees,
    next: nextOf(direct),
    leaveOut: (folderIds) => {
      wanted = wanted.filter((id) => !folderIds.has(id))
    },
    restart: () => nextOf(direct.map(({ grantee }) => new SharesWith(storage, deploymentId, grantee, ''))),
  }
}

/** This many entries cost as much as none. */
const minShares = 40

/**
 * How many shares to read for each workbook that a page may have. Most tenants have no more shared folders than that.
 */
const sharesPerItem = 10
