import { type Item, keyOf } from '../storage/batch-get.ts'
import { newVersion, readModifyWrite } from '../storage/conditional-writes.ts'
import type { Change, Content, Kind, Parsed, Writer } from './kind.ts'
import { fieldsIn, NotApplicable, tombstoneOf } from './kind.ts'

/** The fields that say whose the thing is. A deletion may leave them out. */
type Owned = { readonly accountId?: string | undefined; readonly accountSince?: number | undefined }

/**
 * The newest change of one account, with the lowest revision that named it; or the newest deletion
 * that names none.
 */
type Claim = Change<Owned>

/** Lower than every revision: the account was there first, and no revision can say otherwise. */
const always = Number.MIN_SAFE_INTEGER

/** Since when the thing is the account's. What names no account does not matter for that. */
const sinceOf = ({
  revision = always,
  data: { accountId, accountSince = revision },
}: Claim): number => (accountId === undefined ? always : Math.min(accountSince, revision))

const isNewer = ({ revision: one = always }: Claim, { revision: other = always }: Claim): boolean =>
  one > other

/**
 * Writes a change of a thing that stays with the account that first had it. That is the one named
 * by the lowest revision. Where revisions do not tell, it is the one that arrived first. A change
 * that shows it may come late, so an item keeps the claims of other accounts beside its owner's
 * (docs/decisions/02-ids.md).
 * @returns whether it was applied
 * @throws NotApplicable with the reason if the change names another account than the owner
 */
export async function writeClaim<Data extends Owned, Identity extends Owned>(
  { storage, now }: Writer,
  { kind, key, change }: Parsed<Data, Identity>,
  reason: string,
): Promise<boolean> {
  const version = newVersion()
  let before: readonly Claim[] = []
  let claims: readonly Claim[] = []
  await readModifyWrite(storage, kind.table, key, (stored) => {
    // This change wrote the item, and the answer was lost.
    if (stored?.version === version) return undefined
    before = stored ? [ownClaim(kind, stored), ...claimsBeside(stored)] : []
    claims = withRoom(
      change.revision === undefined ? arrived(before, change) : joined(before, change),
      before,
    )
    return claims === before
      ? undefined
      : { ...key, kind: kind.name, ...itemOf(kind, claims, now()), version }
  })
  const { accountId } = change.data
  if (accountId !== undefined && accountId !== ownerAmong(claims)?.data.accountId) {
    throw new NotApplicable('/data/accountId', reason)
  }
  // Stryker disable next-line OptionalChaining: One of the claims is always the newest.
  const isNewest =
    change.revision === undefined || change.revision === newestAmong(claims)?.revision
  return isNewest && claims !== before
}

/**
 * Adds a change that has a revision. The claims are then the same in whatever order such changes
 * come.
 */
function joined(claims: readonly Claim[], change: Claim): readonly Claim[] {
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
 * Adds a change without a revision. It is the owner's newest, and keeps the revision that was
 * known.
 */
function arrived(claims: readonly Claim[], change: Claim): readonly Claim[] {
  const owner = ownerAmong(claims)
  const accountId = change.data.accountId ?? owner?.data.accountId
  if (owner && accountId !== owner.data.accountId) return claims
  const data = { ...change.data, accountId, accountSince: owner ? sinceOf(owner) : always }
  const claim = { ...change, revision: newestAmong(claims)?.revision, data }
  return [claim, ...claims.filter((each) => each.data.accountId !== accountId)]
}

/** The most bytes, as JSON, of the claims that an item keeps beside its owner's. */
const maxBytesBeside = 32 * 1024

/**
 * The claims, without those of other accounts for which the item has no room. The earliest go
 * first. What an item does not keep has to be sent again, should its account turn out to be the
 * owner.
 * @param before what the item has; it is returned if that is all
 */
function withRoom(claims: readonly Claim[], before: readonly Claim[]): readonly Claim[] {
  const kept = new Set([ownerAmong(claims)])
  let room = maxBytesBeside
  for (const claim of claims.toSorted((a, b) => sinceOf(a) - sinceOf(b))) {
    const bytes = kept.has(claim) ? 0 : Buffer.byteLength(JSON.stringify(claim))
    if (bytes > room) continue
    room -= bytes
    kept.add(claim)
  }
  const left = claims.filter((claim) => kept.has(claim))
  const isSame = left.length === before.length && left.every((each, at) => each === before[at])
  return isSame ? before : left
}

const ownerAmong = (claims: readonly Claim[]): Claim | undefined =>
  claims
    .filter((claim) => claim.data.accountId !== undefined)
    .sort((a, b) => sinceOf(a) - sinceOf(b))[0]

/**
 * What the thing is: the newest change of its owner, unless a deletion that names nobody is newer.
 */
function newestAmong(claims: readonly Claim[]): Claim | undefined {
  const owner = ownerAmong(claims)
  const deletion = claims.find((claim) => claim.data.accountId === undefined)
  return owner && !(deletion && isNewer(deletion, owner)) ? owner : deletion
}

function itemOf(kind: Kind, claims: readonly Claim[], now: number): Content {
  const owner = ownerAmong(claims)
  const { op, revision, data } = newestAmong(claims) as Claim
  const since = owner && sinceOf(owner)
  // An export says both, in deletions too. Otherwise an older change of another account could take
  // the thing in a copy.
  const owned = {
    accountId: owner?.data.accountId,
    accountSince: since === (revision ?? always) ? undefined : since,
  }
  const others = claims.filter((claim) => owner && claim !== owner)
  return {
    ...(op === 'put'
      ? kind.item(data)
      : tombstoneOf(kind, fieldsIn({ ...data, ...owned }, kind.identity), now)),
    ...owned,
    revision,
    others: others.length > 0 ? others : undefined,
  }
}

const claimsBeside = ({ others = [] }: Item) => others as readonly Claim[]

/** The other accounts whose claims an item keeps. */
export const accountsBeside = (item: Item): string[] =>
  claimsBeside(item).flatMap(({ data: { accountId } }) => accountId ?? [])

/** The item without the claims of these accounts, or itself if it keeps none of them. */
export function withoutClaimsOf(item: Item, accountIds: ReadonlySet<unknown>): Item {
  const all = claimsBeside(item)
  const others = all.filter(({ data }) => !accountIds.has(data.accountId))
  if (others.length === all.length) return item
  return { ...item, others: others.length > 0 ? others : undefined }
}

/** The item as a tombstone that stays, and still says whose the thing is. */
export const endedClaim = (kind: Kind, item: Item): Item => ({
  ...keyOf(item),
  kind: kind.name,
  ...itemOf(kind, [{ ...ownClaim(kind, item), op: 'delete' }, ...claimsBeside(item)], 0),
})

function ownClaim(kind: Kind, item: Item): Claim {
  const { revision, deleted, accountId, accountSince } = item as Item &
    Owned & { revision?: number }
  if (!deleted) return { op: 'put', revision, data: fieldsIn(item, kind.data) as Owned }
  // Tombstones of earlier versions name the account beside their identity alone.
  return {
    op: 'delete',
    revision,
    data: { ...JSON.parse(item.identity as string), accountId, accountSince },
  }
}
