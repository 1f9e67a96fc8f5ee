import fc from 'fast-check'
import type { Model, Share } from './model.ts'

export const tenants = ['north', 'south', 'west']

/** Random trees of up to 12 folders, up to 30 workbooks in and out of them, and shares of every kind. */
export const arbitraryModel: fc.Arbitrary<Model> = fc
  .tuple(
    fc.array(fc.nat(), { maxLength: 12 }),
    fc.array(fc.nat(), { maxLength: 30 }),
    fc.array(
      fc.record({
        folder: fc.boolean(),
        pick: fc.nat(),
        tenant: fc.constantFrom<string | null>(...tenants, null),
      }),
      { maxLength: 15 },
    ),
  )
  .map(([parents, places, picks]) => {
    const folders = new Map<number, number | null>()
    parents.forEach((pick, index) => {
      folders.set(index + 1, choose([null, ...shallow(folders)], pick))
    })
    const workbooks = new Map(places.map((pick, index) => [101 + index * 7, choose([null, ...folders.keys()], pick)]))
    const shares = picks.flatMap(({ folder, pick, tenant }): Share[] => {
      const ids = [...(folder ? folders : workbooks).keys()]
      return ids.length === 0 ? [] : [{ type: folder ? 'folder' : 'workbook', id: choose(ids, pick), tenant }]
    })
    return { folders, workbooks, shares }
  })

const choose = <Option>(options: readonly Option[], pick: number): Option => options[pick % options.length] as Option

/** Folders that may still have a subfolder. */
function shallow(folders: ReadonlyMap<number, number | null>): number[] {
  const depth = (id: number | null): number => (id === null ? 0 : 1 + depth(folders.get(id) ?? null))
  return [...folders.keys()].filter((id) => depth(id) < 10)
}
