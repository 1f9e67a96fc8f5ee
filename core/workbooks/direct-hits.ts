import type { Budget } from './budget.ts'
import type { DirectHit, Hits } from './hit.ts'
import { directPosition } from './position.ts'
import type { SharesWith } from './shares-with.ts'

/**
 * The next workbooks that are shared directly, by id. One that is shared with both grantees comes once.
 * @param after the position after which to begin
 */
export async function directHits(
  shares: readonly SharesWith[],
  after: string,
  wanted: number,
  budget: Budget,
): Promise<Hits<DirectHit>> {
  for (;;) {
    const found = merged(shares, after)
    const known = found.findIndex(({ id }) => !shares.every((each) => each.hasReadUpTo(id)))
    const hits = known === -1 ? found : found.slice(0, known)
    const unread = shares.filter(({ goesOn }) => goesOn)
    const isEnd = unread.length === 0 && hits.length <= wanted
    if (hits.length >= wanted || isEnd || !budget.allowsLooking(unread.length)) {
      const shown = hits.slice(0, wanted)
      return { hits: shown, end: isEnd ? undefined : (shown.at(-1)?.position ?? after) }
    }
    const late = unread.filter(
      (each) => found.length === hits.length || !each.hasReadUpTo((found[hits.length] as DirectHit).id),
    )
    budget.spend(late.length)
    await Promise.all(late.map((each) => each.readWorkbooks(wanted)))
  }
}

function merged(shares: readonly SharesWith[], after: string): DirectHit[] {
  const grantees = new Map<number, SharesWith['grantee'][]>()
  for (const { grantee, workbookIds } of shares) {
    for (const id of workbookIds) grantees.set(id, [...(grantees.get(id) ?? []), grantee])
  }
  return [...grantees]
    .map(([id, grantees]) => ({ id, grantees, position: directPosition(id) }))
    .filter(({ position }) => position > after)
    .sort((a, b) => a.id - b.id)
}
