import { isOwn } from '../access/deployment.ts'
import { readModifyWrite } from '../storage/conditional-writes.ts'
import { type Item, isLive, keyOf, type NewItem } from '../storage/item.ts'
import type { Change, Content, Kind, Parsed, Writer } from './kind.ts'
import { fieldsIn, identityIn, NotApplicable, tombstoneOf, updateEndingTokens } from './kind.ts'

/** The fields that say which account owns the thing. A deletion may leave them out. */
type Owned = { readonly accountId?: string | undefined; readonly accountSince?: number | undefined }

/**
 * The newest change of one account, or the newest deletion that names no account. `accountSince` is
 * the lowest revision that named the account. By default it is the revision of the change itself.
 */
type Claim = Change<Owned>

/** Lower than every revision. So whoever claimed a thing without a revision owns it. */
const always = Number.MIN_SAFE_INTEGER

const revisionOf = ({ revision = always }: Claim): number => revision

const isNewer = (claim: Claim, other: Claim): boolean => revisionOf(claim) > revisionOf(other)

/** The revision since which the account owns the thing. A claim without an account needs none. */
function sinceOf(claim: Claim): number {
  const { accountId, accountSince = Infinity } = claim.data
  return accountId === undefined ? always : Math.min(accountSince, revisionOf(claim))
}

const bySince = (a: Claim, b: Claim) => sinceOf(a) - sinceOf(b)

/**
 * Writes a change of a thing that stays with its first account: the one that the lowest revision
 * names. Among changes without a revision, or with the same, the first to arrive decides. The
 * change of the first account may come late, so an item keeps the claims of other accounts beside
 * its owner's (docs/decisions/02-ids.md):
 *
 *   revision 5 of b arrives   the thing is b's
 *   revision 3 of a arrives   the thing is a's; revision 5 is kept as b's claim
 *   revision 9 of b arrives   it is refused, but kept as b's claim
 *   revision 1 of b arrives   the thing is b's again, with the data of revision 9
 *
 * @returns whether the change was applied
 * @throws NotApplicable with the reason if the change names another account than the owner
 */
export async function writeClaim<Data extends Owned, Identity extends Owned>(
  writer: Writer,
  { kind, key, change }: Parsed<Data, Identity>,
  reason: string,
): Promise<boolean> {
  const { storage, now } = writer
  const { claims, item } = await readModifyWrite(storage, kind.table, key, (stored) => {
    const before = stored ? [ownClaim(kind, stored), ...claimsOfOthers(stored)] : []
    const add = change.revision === undefined ? addUnrevised : addRevised
    const claims = thatFit(add(before, change))
    const isSame =
      claims.length === before.length && claims.every((each, index) => each === before[index])
    if (isSame) return { claims, item: undefined }
    const item = { ...key, kind: kind.name, ...itemOf(kind, claims, now()) }
    // The thing is deleted, or another account turns out to be the owner.
    const isLost = isLive(stored) && !isOwn(item as Item, `${stored.accountId}`)
    const also = isLost
      ? updateEndingTokens(writer, kind, fieldsIn(stored, kind.identity))
      : undefined
    return { claims, item, also }
  })
  const { accountId } = change.data
  if (accountId !== undefined && accountId !== ownersClaim(claims)?.data.accountId) {
    throw new NotApplicable('/data/accountId', reason)
  }
  const isNewest = change.revision === undefined || change.revision === newestClaim(claims).revision
  return isNewest && item !== undefined
}

/** Adds a change with a revision. If all revisions differ, the order of arrival does not count. */
function addRevised(claims: readonly Claim[], change: Claim): readonly Claim[] {
  const known = claims.find((each) => each.data.accountId === change.data.accountId)
  if (!known) return [...claims, change]
  const newest = isNewer(change, known) ? change : known
  const accountSince = Math.min(sinceOf(change), sinceOf(known))
  if (newest === known && accountSince === sinceOf(known)) return claims
  return claims.map((claim) =>
    claim === known ? { ...newest, data: { ...newest.data, accountSince } } : claim,
  )
}

/**
 * Adds a change without a revision, unless it is another account's. The change becomes the owner's
 * newest, and keeps the known revision.
 */
function addUnrevised(claims: readonly Claim[], change: Claim): readonly Claim[] {
  const owner = ownersClaim(claims)
  const accountId = change.data.accountId ?? owner?.data.accountId
  if (owner && accountId !== owner.data.accountId) return claims
  const revision = claims.length > 0 ? newestClaim(claims).revision : undefined
  const data = { ...change.data, accountId, accountSince: owner ? sinceOf(owner) : always }
  const claim = { ...change, revision, data }
  return [claim, ...claims.filter((each) => each.data.accountId !== accountId)]
}

/** The most bytes, as JSON, of the claims that an item keeps beside its owner's. */
const maxBytesOfOthers = 32 * 1024

/**
 * Leaves out claims of other accounts for which the item has no room. The earliest claims get room
 * first. If the account of a claim that was left out turns out to be the owner, it must send its
 * change again.
 */
function thatFit(claims: readonly Claim[]): readonly Claim[] {
  const owner = ownersClaim(claims)
  const others = claims.filter((claim) => claim !== owner)
  const kept = new Set([owner])
  let room = maxBytesOfOthers
  for (const claim of others.sort(bySince)) {
    const bytes = Buffer.byteLength(JSON.stringify(claim))
    if (bytes > room) continue
    room -= bytes
    kept.add(claim)
  }
  return claims.filter((claim) => kept.has(claim))
}

const ownersClaim = (claims: readonly Claim[]): Claim | undefined =>
  claims.filter((claim) => claim.data.accountId !== undefined).sort(bySince)[0]

/** What the thing is now: its owner's newest change, or a newer deletion that names no account. */
function newestClaim(claims: readonly Claim[]): Claim {
  const owner = ownersClaim(claims)
  const deletion = claims.find((claim) => claim.data.accountId === undefined)
  // Without an owner's claim there is a deletion.
  if (!owner) return deletion as Claim
  return deletion && isNewer(deletion, owner) ? deletion : owner
}

function itemOf(kind: Kind<Owned, Owned>, claims: readonly Claim[], now: number): Content {
  const owner = ownersClaim(claims)
  const newest = newestClaim(claims)
  const { op, revision, data } = newest
  const since = owner && sinceOf(owner)
  // A deletion has these two fields too, and an export has them. Otherwise an older change of
  // another account could take the thing where the export is imported.
  const owned = {
    accountId: owner?.data.accountId,
    accountSince: since === revisionOf(newest) ? undefined : since,
  }
  const others = owner ? claims.filter((claim) => claim !== owner) : []
  return {
    ...(op === 'put'
      ? kind.item(data)
      : tombstoneOf(kind, fieldsIn({ ...data, ...owned }, kind.identity), now)),
    ...owned,
    revision,
    others: others.length > 0 ? others : undefined,
  }
}

const claimsOfOthers = ({ others = [] }: NewItem) => others as readonly Claim[]

/** The other accounts whose claims an item keeps. */
export const otherAccounts = (item: Item): string[] =>
  claimsOfOthers(item).flatMap(({ data: { accountId } }) => accountId ?? [])

/** The item without the claims of these accounts, or itself if it keeps none of them. */
export function withoutClaimsOf(item: NewItem, accountIds: readonly string[]): NewItem {
  const all = claimsOfOthers(item)
  const others = all.filter(({ data }) => !accountIds.some((id) => id === data.accountId))
  if (others.length === all.length) return item
  return { ...item, others: others.length > 0 ? others : undefined }
}

/** The tombstone of an item. It names the owner of the thing. It never expires: the 0 is unused. */
export const claimedTombstone = (kind: Kind<Owned, Owned>, item: Item): NewItem => ({
  ...keyOf(item),
  kind: kind.name,
  ...itemOf(kind, [{ ...ownClaim(kind, item), op: 'delete' }, ...claimsOfOthers(item)], 0),
})

/** The claim that the item's own fields come from. */
function ownClaim(kind: Kind<Owned, Owned>, item: Item): Claim {
  const { revision, deleted } = item
  return deleted
    ? { op: 'delete', revision, data: identityIn(item) }
    : { op: 'put', revision, data: fieldsIn(item, kind.data) }
}
