import fc from 'fast-check'

/*
 * A failed property ends at once and names its seed and its path. To search for the smallest example takes many more runs,
 * which the time of a test ends before anything is reported. Give the property `{ seed, path, endOnFailure: false }` for it.
 */
fc.configureGlobal({ endOnFailure: true })
