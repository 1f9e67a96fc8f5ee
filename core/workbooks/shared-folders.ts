import { queryWhole } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { type Grantee, shareIndex } from './keys.ts'
import { folderIdsIn } from './place.ts'

/** The folders shared with some grantees. */
export type SharedFolders = {
  /** With whom each is shared. */
  readonly grantees: ReadonlyMap<number, readonly Grantee[]>
  /** The places of those that no other one contains, in order. */
  readonly places: readonly string[]
  /** The folders that shared ones lie in, at any depth. */
  readonly above: ReadonlySet<number>
}

export const noFolders: SharedFolders = { grantees: new Map(), places: [], above: new Set() }

export async function sharedFolders(
  storage: Storage,
  deploymentId: number,
  grantees: readonly Grantee[],
): Promise<SharedFolders> {
  const read = await Promise.all(
    grantees.map(async (grantee) => {
      const { index, partition } = shareIndex(deploymentId, 'folder', grantee)
      return (await Array.fromAsync(queryWhole(storage, { index, partition, attributes: ['place'] }))).flat()
    }),
  )
  const shares = read.flatMap((items, index) => items.map((item) => ({ item, grantee: grantees[index] as Grantee })))
  const byFolder = Map.groupBy(shares, ({ item }) => folderIdsIn(item.place as string).at(-1) as number)
  return {
    grantees: new Map([...byFolder].map(([id, of]) => [id, of.map(({ grantee }) => grantee)])),
    places: outermost(shares.map(({ item }) => item.place as string)),
    above: new Set(shares.flatMap(({ item }) => folderIdsIn(item.place as string).slice(0, -1))),
  }
}

/** A place below another adds nothing: the ranges are made disjoint. */
function outermost(places: readonly string[]): string[] {
  const kept: string[] = []
  for (const place of [...new Set(places)].sort()) {
    const last = kept.at(-1)
    if (last === undefined || !place.startsWith(last)) kept.push(place)
  }
  return kept
}

/** The shared place that contains this one, if any. */
export function coveringPlace(places: readonly string[], place: string): string | undefined {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] as string) <= place) low = middle + 1
    else high = middle
  }
  const candidate = places[low - 1]
  return candidate !== undefined && place.startsWith(candidate) ? candidate : undefined
}
