import { constants, deflateRawSync } from 'node:zlib'
import { type Document, pack, unpack, unpackPage } from '@embed-access/core/storage/document.ts'
import { pageBytes } from '@embed-access/core/storage/page.ts'
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

  test('are read as earlier versions wrote them, without an end', () => {
    const json = ofBytes(3000)
    const finishFlush = constants.Z_SYNC_FLUSH
    expect(unpack(deflateRawSync(`${json}\n`, { finishFlush }))).toBe(json)
  })
})

describe('the documents of a page', () => {
  test('end with the one by which they have more bytes than a page', () => {
    expect(unpackPage([ofBytes(pageBytes), '1'])).toHaveLength(2)
    expect(unpackPage([ofBytes(pageBytes + 1), '1'])).toHaveLength(1)
    expect(unpackPage(Array(13).fill(ofBytes(pageBytes / 10)))).toHaveLength(11)
  })

  test('are an error if one is broken', () => {
    const broken: Document = new Uint8Array([255, 255, 255])
    for (const documents of [[broken], [pack(ofBytes(3000)), broken]])
      expect(() => unpackPage(documents)).toThrow(expect.objectContaining({ code: 'Z_DATA_ERROR' }))
  })
})
