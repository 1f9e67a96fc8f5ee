import { expect, test } from 'vitest'
import { batchesOf } from '../../functions/catalog-queue/batches.ts'

const most = { items: 3, bytes: 10 }

test.each([
  [[], []],
  [[10], [[10]]],
  [
    [11, 1],
    [[11], [1]],
  ],
  [
    [1, 11, 1],
    [[1], [11], [1]],
  ],
  [
    [5, 6, 4],
    [[5], [6, 4]],
  ],
  [
    [5, 5, 0, 0, 1],
    [
      [5, 5, 0],
      [0, 1],
    ],
  ],
])('items of %j bytes make batches of at most 3 items and 10 bytes: %j', async (sizes, batches) => {
  expect(await Array.fromAsync(batchesOf(sizes, (size) => size, most))).toEqual(batches)
})
