/** How long a tombstone is kept, in milliseconds (catalog contract): older changes must not be sent again. */
const maxAge = 90 * 24 * 3_600_000

/** What is left of a deleted thing. It is in no index. */
export const tombstone = (identity: unknown) => ({ deleted: true, identity: JSON.stringify(identity) })

/** Until when a tombstone is kept, if it does not stay for good. */
export const tombstoneExpiry = (now: number) => ({ tombstoneExpiresAt: Math.floor((now + maxAge) / 1000) })
