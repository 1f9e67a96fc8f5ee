import { decodeCursor } from '@embed-access/core/storage/cursor.ts'
import { countThatFit, type Entry, pageBytes, pageOf } from '@embed-access/core/storage/page.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const entriesOf = (texts: readonly string[]): Entry[] =>
  texts.map((text, index) => ({ position: `p${index}`, json: JSON.stringify(text) }))

/** The bytes of these in Lambda's answer, each with a comma. */
const bytesSent = (entries: readonly Entry[]) =>
  Buffer.byteLength(JSON.stringify(entries.map(({ json }) => `${json},`).join(''))) - 2

describe('a page', () => {
  test('has as many entries as Lambda can send, to the byte, and at least one', () => {
    const letter = fc.constantFrom('a', 'é', '"', '\\', '\n', '\u0001')
    const text = fc.tuple(letter, fc.nat(150_000)).map(([each, count]) => each.repeat(count))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.constantFrom(-1, 0, 1), (texts, more) => {
        const left = pageBytes + more - bytesSent(entriesOf([...texts, '']))
        const entries = entriesOf([...texts, 'x'.repeat(left), 'beyond'])
        const fitting = texts.length + (more > 0 ? 0 : 1)
        expect(countThatFit(entries, 200)).toBe(Math.max(fitting, 1))
        expect(countThatFit(entries, 2)).toBe(Math.min(Math.max(fitting, 1), 2))
      }),
      { numRuns: 15 },
    )
  })

  test('has no more of what Lambda doubles to the last letter', () => {
    const half = '"'.repeat(pageBytes / 8 - 1)
    const entries = entriesOf([half, half])
    expect(bytesSent(entries)).toBe(pageBytes + 2)
    expect(countThatFit(entries, 200)).toBe(1)
  })

  test('goes on after its last entry, or else where the reading ended', () => {
    const entries = entriesOf(['a', 'b'])
    const infoOf = (request: object, end?: string, of = entries) => {
      const { items, pageInfo } = pageOf(['list'], request, of, end)
      const { startCursor, endCursor } = pageInfo
      expect(items).toEqual(of.slice(0, items.length).map(({ json }) => json))
      const at = (cursor: string | null) =>
        cursor === null ? null : decodeCursor(['list'], cursor)
      return [items.length, pageInfo.hasNextPage, at(startCursor), at(endCursor)]
    }
    expect(infoOf({})).toEqual([2, false, 'p0', 'p1'])
    expect(infoOf({ first: 1 })).toEqual([1, true, 'p0', 'p0'])
    expect(infoOf({ first: 1 }, 'z')).toEqual([1, true, 'p0', 'p0'])
    expect(infoOf({ first: 2 }, 'z')).toEqual([2, true, 'p0', 'z'])
    expect(infoOf({}, 'z', [])).toEqual([0, true, null, 'z'])
    expect(infoOf({}, undefined, [])).toEqual([0, false, null, null])
  })
})
