import fc from 'fast-check'

/*
 * A failed property ends at once and names its seed and its path. The search for the smallest
 * example would take many more runs, and the time of a test would end before it reports anything.
 * `{ seed, path, endOnFailure: false }` makes the property search.
 */
fc.configureGlobal({ endOnFailure: true })
