import { hitsInFolders } from './folder-hits.ts'
import type { Grantee } from './grantee.ts'
import type { Hit, Hits } from './hit.ts'
import { startOfDirect } from './keys.ts'
import { type Places, readShares } from './places.ts'

/**
 * The next workbooks after a position: first what folders give, then what is shared directly.
 * @param trips how many round trips it may take in folders; direct shares take one more at most
 */
export async function nextHits(
  places: Places,
  after: string,
  wanted: number,
  trips: number,
): Promise<Hits> {
  // Stryker disable next-line EqualityOperator: A page that begins there is read in another way, and shows the same.
  if (after >= startOfDirect) return directHits(places, after, wanted)
  const { hits, end } = await hitsInFolders(places, after, wanted, trips)
  if (end !== undefined) return { hits, end }
  const direct = await directHits(places, startOfDirect, wanted - hits.length)
  return { hits: [...hits, ...direct.hits], end: direct.end }
}

/**
 * The next workbooks that are shared directly. One that is shared with several grantees comes once.
 */
async function directHits(places: Places, after: string, wanted: number): Promise<Hits> {
  const known = knownHits(places, after)
  // Stryker disable next-line EqualityOperator: Costs a trip more where exactly as many as wanted are known.
  if (known.end === undefined || known.hits.length >= wanted) return known
  const from = known.end
  const behind = places.direct.filter(({ upTo }) => upTo === from)
  places.trips -= 1
  // Stryker disable next-line ArithmeticOperator: Costs trips where many have gone, and shows the same.
  await Promise.all(behind.map((shares) => readShares(places, shares, { after: from }, 2 * wanted)))
  return knownHits(places, after)
}

/** The hits up to where the shares with every grantee were read. */
function knownHits({ direct }: Places, after: string): Hits {
  const end = direct.flatMap(({ upTo }) => upTo ?? []).sort()[0]
  const grantees = new Map<string, Grantee[]>()
  for (const { grantee, workbooks } of direct) {
    for (const position of workbooks) {
      const isKnown = position > after && (end === undefined || position <= end)
      if (isKnown) grantees.set(position, [...(grantees.get(position) ?? []), grantee])
    }
  }
  const hits = [...grantees].map(
    ([position, grantees]): Hit => ({ position, id: Number(position.slice(2)), grantees }),
  )
  // Stryker disable next-line EqualityOperator: No two have the same position.
  return { hits: hits.sort((a, b) => (a.position < b.position ? -1 : 1)), end }
}
