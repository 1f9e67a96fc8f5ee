import { batchesOf } from '@embed-access/core/catalog/batches.ts'
import { expect, test } from 'vitest'

const batchesIn = (sizes: readonly number[]) =>
  Array.fromAsync(batchesOf(sizes, (size) => size, { items: 3, bytes: 10 }))

test.each(['10', '11|1', '1|11|1', '5|6 4', '5 5 0|0 1'])(
  'items of so many bytes, at most 3 and 10 bytes in a batch, are put together: %s',
  async (batched) => {
    const batches = await batchesIn(batched.split(/\D/).map(Number))
    expect(batches.map((batch) => batch.join(' ')).join('|')).toBe(batched)
  },
)

test('no items make no batch', async () => {
  expect(await batchesIn([])).toEqual([])
})
