import fc from 'fast-check'

/*
 * A failed property ends at once and names its seed and its path. The search for the smallest
 * example would take many more runs, and the time of a test would end before it reports anything.
 * `{ seed, path, endOnFailure: false }` makes the property search.
 */
fc.configureGlobal({ endOnFailure: true })

/**
 * Any character, to be the unit of a text. fast-check's own `binary` takes half a second to begin.
 */
export const anyCharacter = fc
  .nat({ max: 0x10_f7ff })
  .map((at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800))
