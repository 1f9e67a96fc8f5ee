import { hitsInFolders } from './folder-hits.ts'
import { type Hits, isDirect, startOfDirect } from './hit.ts'
import type { Places } from './places.ts'

/**
 * The next workbooks after a position: first what folders give, then what is shared directly.
 * @param hidden folders to leave out
 */
export async function nextHits(
  places: Places,
  after: string,
  wanted: number,
  hidden: ReadonlySet<number>,
): Promise<Hits> {
  if (isDirect(after)) return places.direct.next(after, wanted)
  const inFolders = await hitsInFolders(places, after, wanted, hidden)
  if (inFolders.searchedTo !== undefined) return inFolders
  const { hits } = inFolders
  const direct = await places.direct.next(startOfDirect, wanted - hits.length)
  return { hits: [...hits, ...direct.hits], searchedTo: direct.searchedTo }
}
