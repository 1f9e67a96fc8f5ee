import { workbookPlace } from '@embed-access/core/workbooks/place.ts'

/**
 * A catalog of any size whose neighbourhoods are alike at every size, so that whatever a page costs more in a larger one
 * is the fault of the lists. It is made of blocks of 1,000 workbooks in 10 folders:
 *
 *   0 to 4   each in the one before, folder 0 in `shared`, the folder that is shared with the embed tenant `north`
 *   5, 6     6 in 5, folder 5 in `everyone`, the folder that is shared with all embed users
 *   7, 8, 9  each in the one before, folder 7 at the top level; in some blocks deep below folder 4
 *
 * Some of 4 and all of 7, 8 and 9 is shared directly with `north`, with all embed users, or with both. Ids have the
 * same number of digits throughout.
 */
export type Change = { readonly kind: string; readonly data: Readonly<Record<string, unknown>> }

export const account = 'acme'
export const deployment = 1
export const tenant = 'north'

const root = 8_000_000
const shared = 8_000_001
const everyone = 8_000_002
const blockWorkbooks = 1000
const blockFolders = 10

const folderId = (block: number, folder: number) => 1_000_000 + block * blockFolders + folder
const workbookId = (block: number, index: number) => 1_000_000_000 + block * blockWorkbooks + index

const put = (kind: string, data: Change['data']): Change => ({ kind, data })
const share = (type: 'workbook' | 'folder', id: number, name?: string): Change =>
  put('share', {
    deploymentId: deployment,
    resource: { type, id },
    grantee: name === undefined ? { type: 'allEmbedUsers' } : { type: 'embedTenant', name },
  })

const isDeep = (block: number) => block % 10 === 7

/** The folders that a folder of a block lies in, root first, and itself. */
function chainOf(block: number, folder: number): number[] {
  const of = (...folders: number[]) => folders.map((each) => folderId(block, each))
  const range = (from: number) => Array.from({ length: folder - from + 1 }, (_, index) => from + index)
  if (folder <= 4) return [root, shared, ...of(...range(0))]
  if (folder <= 6) return [everyone, ...of(...range(5))]
  return isDeep(block) ? [root, shared, ...of(0, 1, 2, 3, 4), ...of(...range(7))] : of(...range(7))
}

const folderOf = (index: number) => Math.floor(index / 100)
const isTenants = (index: number) => (folderOf(index) >= 7 ? index % 10 < 6 : index >= 400 && index < 460)
const isEveryones = (index: number) => (folderOf(index) >= 7 ? index % 10 >= 4 : index >= 440 && index < 500)

export type Source = 'tenant' | 'allEmbedUsers' | 'folder'

/** Places of all workbooks that `north` sees, in the order of the list. */
export function visiblePlaces(workbooks: number, source: Source | undefined): string[] {
  const places: string[] = []
  for (let block = 0; block < workbooks / blockWorkbooks; block += 1) {
    for (let index = 0; index < blockWorkbooks; index += 1) {
      const folder = folderOf(index)
      const reasons = {
        tenant: isTenants(index),
        allEmbedUsers: isEveryones(index),
        folder: folder <= 6 || isDeep(block),
      }
      if (source ? reasons[source] : Object.values(reasons).some(Boolean)) {
        places.push(workbookPlace(chainOf(block, folder), workbookId(block, index)))
      }
    }
  }
  return places.sort()
}

/** Where a workbook of the catalog lies. */
export const placeOf = (block: number, index: number) =>
  workbookPlace(chainOf(block, folderOf(index)), workbookId(block, index))

/** Changes in batches, each thing after what it refers to. */
export function* catalog(workbooks: number, resource: (index: number) => object): Generator<Change[]> {
  yield [
    put('account', { id: account, name: 'Acme', embeddingEnabled: true }),
    put('deployment', { accountId: account, id: deployment, name: 'First' }),
    put('folder', { deploymentId: deployment, id: root, name: 'Root', parentId: null }),
    put('folder', { deploymentId: deployment, id: shared, name: 'Shared', parentId: root }),
    put('folder', { deploymentId: deployment, id: everyone, name: 'Everyone', parentId: null }),
    share('folder', shared, tenant),
    share('folder', everyone),
  ]
  for (let block = 0; block < workbooks / blockWorkbooks; block += 1) yield blockOf(block, resource)
}

function blockOf(block: number, resource: (index: number) => object): Change[] {
  const folders = Array.from({ length: blockFolders }, (_, folder) => folder).map((folder) =>
    put('folder', {
      deploymentId: deployment,
      id: folderId(block, folder),
      name: `Folder ${folder}`,
      parentId: chainOf(block, folder).at(-2) ?? null,
    }),
  )
  const workbooks = Array.from({ length: blockWorkbooks }, (_, index) =>
    put('workbook', {
      ...resource(index),
      id: workbookId(block, index),
      deploymentId: deployment,
      folderId: folderId(block, folderOf(index)),
    }),
  )
  const shares = workbooks.flatMap((_, index) => [
    ...(isTenants(index) ? [share('workbook', workbookId(block, index), tenant)] : []),
    ...(isEveryones(index) ? [share('workbook', workbookId(block, index))] : []),
  ])
  // A tenant of its own for each block.
  const others = [share('folder', folderId(block, 9), `tenant-${block}`)]
  return [...folders, ...workbooks, ...shares, ...others]
}
