import fc from 'fast-check'
import type { Model } from './model.ts'

export const tenants = ['north', 'south', 'west']

/** Ids of one and of three digits. */
const idOf = (index: number) => index * 7

/**
 * Folders may lie deep, within themselves, or in one that is gone. Shares are of every kind, some
 * of what is not there.
 */
export const arbitraryModel: fc.Arbitrary<Model> = fc
  .record({
    parents: fc.array(fc.option(fc.nat({ max: 29 }), { nil: null }), { maxLength: 30 }),
    isDeep: fc.boolean(),
    gone: fc.array(fc.nat({ max: 29 }), { maxLength: 5 }),
    places: fc.array(fc.option(fc.nat({ max: 33 }), { nil: null }), { maxLength: 60 }),
    shares: fc.array(
      fc.record({
        isFolder: fc.boolean(),
        pick: fc.nat(),
        grantees: fc.subarray([...tenants, null]),
      }),
      {
        maxLength: 15,
      },
    ),
  })
  .map(({ parents, isDeep, gone, places, shares }) => {
    const folders = new Map<number, number | null>()
    for (const [index, parent] of parents.entries()) {
      const isChained = isDeep && index > 0 && parent !== null && parent % 4 > 0
      const parentId = isChained ? idOf(index - 1) : parent === null ? null : idOf(parent)
      if (!gone.includes(index)) folders.set(idOf(index), parentId)
    }
    return {
      folders,
      workbooks: new Map(
        places.map((place, index) => [index + 1, place === null ? null : idOf(place)]),
      ),
      shares: shares.flatMap(({ isFolder, pick, grantees }) => {
        const id = isFolder ? idOf(pick % (parents.length + 2)) : pick % (places.length + 2)
        return grantees.map((tenant) => ({ type: isFolder ? 'folder' : 'workbook', id, tenant }))
      }),
    }
  })
