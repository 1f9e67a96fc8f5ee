import { randomBytes } from 'node:crypto'
import { type Document, pack, unpack, unpackAll } from '@embed-access/core/storage/document.ts'
import { pageBytes } from '@embed-access/core/storage/page.ts'
import { unpackPage } from '@embed-access/core/storage/unpack-page.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const ofBytes = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))

describe('documents', () => {
  const unit = fc.constantFrom('a', 'é', '😀', '"', '\n', '\r', '\u2028')
  const text = fc.oneof(fc.string({ unit }), fc.string({ unit, minLength: 1000, maxLength: 4000 }))

  test('come back in their order, whichever are compressed', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (given) => {
        const texts = given.map((each) => JSON.stringify(each))
        const documents = texts.map(pack)
        expect(unpackAll(documents)).toEqual(texts)
        expect(unpackPage(documents)).toEqual(texts)
        expect(documents.map(unpack)).toEqual(texts)
      }),
    )
  })

  test('are compressed from 2.5 KB on, in bytes', () => {
    const wide = JSON.stringify('é'.repeat(1280))
    expect(pack(ofBytes(2559))).toBe(ofBytes(2559))
    for (const large of [ofBytes(2560), wide]) expect(pack(large).length).toBeLessThan(100)
  })

  test('have no more text than is said, of those that are compressed', () => {
    const documents = [ofBytes(5000), ofBytes(10), ofBytes(3000)].map(pack)
    // Each has a line feed more.
    expect(unpackAll(documents, 8002)).toHaveLength(3)
    expect(() => unpackAll(documents, 8001)).toThrow(RangeError)
  })
})

describe('the documents of a page', () => {
  test('are inflated half a megabyte at a time, until the page is full', () => {
    const text = () => JSON.stringify(randomBytes(120_000).toString('base64'))
    const texts = Array.from({ length: 40 }, text)
    // Five of them take 600 KB as stored. Seven times five have more than 5 MB of text.
    expect(unpackPage(texts.map(pack))).toEqual(texts.slice(0, 35))
  })

  test('end with the one by which they have more bytes than a page', () => {
    expect(unpackPage([ofBytes(pageBytes), '1'])).toHaveLength(2)
    expect(unpackPage([ofBytes(pageBytes + 1), '1'])).toHaveLength(1)
    // Ten have the bytes of a page, and each has half a megabyte.
    expect(unpackPage(Array(13).fill(ofBytes(pageBytes / 10)))).toHaveLength(11)
  })

  test('are inflated one by one where together they have more text than four pages', () => {
    expect(unpackPage(Array(3).fill(pack(ofBytes(2 * pageBytes))))).toHaveLength(1)
  })

  test('are an error if one is broken', () => {
    const broken: Document = new Uint8Array([255, 255, 255])
    for (const documents of [[broken], [pack(ofBytes(3000)), broken]])
      expect(() => unpackPage(documents)).toThrow(expect.objectContaining({ code: 'Z_DATA_ERROR' }))
  })
})
