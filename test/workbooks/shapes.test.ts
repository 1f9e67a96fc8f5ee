import { documentBytes, pack } from '@embed-access/core/storage/document.ts'
import { unpackPage } from '@embed-access/core/storage/unpack-page.ts'
import { expect, test } from 'vitest'

test('Documents that compress a thousandfold are inflated up to what a page can hold', () => {
  const large = pack(JSON.stringify({ text: 'a'.repeat(4_000_000) }))
  const small = pack(JSON.stringify({ text: 'small'.repeat(1000) }))
  expect(documentBytes(large)).toBeLessThan(10_000)
  const texts = unpackPage([small, ...Array.from({ length: 60 }, () => large)])
  expect(texts.map((text) => text.length)).toEqual([5011, 4_000_011, 4_000_011])
})
