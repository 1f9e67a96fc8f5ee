import { folderEntry, resourceEntry } from '@embed-access/core/workbooks/keys.ts'
import { allEmbedUsers, type Change, embedTenant, folder, put, share } from '../support/catalog.ts'

/**
 * A catalog of any size. Its parts look alike at every size, so if a page costs more in a larger
 * one, the lists are the reason. The folders stay the same, since reading them costs what they are.
 * Of each 1,000 workbooks
 *
 *   0 to 399     lie in `north`, four levels below the folder shared with the tenant `north`
 *   400 to 499   lie in `everyone`, below the folder that is shared with all embed users
 *   500 to 999   lie in `single`, which nobody shares
 *
 * All in `single` and some in `north` are shared directly with `north`, with all embed users, or
 * with both. Ids have the same number of digits throughout.
 *
 * One in `single` is also shared with more tenants than a page has ({@link sharesWithMany}).
 */
export const account = 'acme'
export const deployment = 1
export const tenant = 'north'

const folders = {
  root: 1001,
  shared: 1002,
  a: 1003,
  b: 1004,
  north: 1005,
  everyones: 1006,
  everyone: 1007,
  single: 1008,
}
const tree = [
  folder(deployment, folders.root, null),
  folder(deployment, folders.shared, folders.root),
  folder(deployment, folders.a, folders.shared),
  folder(deployment, folders.b, folders.a),
  folder(deployment, folders.north, folders.b),
  folder(deployment, folders.everyones, null),
  folder(deployment, folders.everyone, folders.everyones),
  folder(deployment, folders.single, null),
]
const blockWorkbooks = 1000

export const workbookId = (block: number, index: number) =>
  1_000_000_000 + block * blockWorkbooks + index
const folderOf = (index: number) =>
  index < 400 ? folders.north : index < 500 ? folders.everyone : folders.single
const isTenants = (index: number) => (index < 500 ? index >= 300 && index < 360 : index % 10 < 6)
const isEveryones = (index: number) => (index < 500 ? index >= 340 && index < 400 : index % 10 >= 4)

/** The position of a workbook that a folder gives, or a direct share. */
export const inFolder = (block: number, index: number) =>
  `f${folderEntry(folderOf(index), workbookId(block, index))}`
export const amongDirect = (block: number, index: number) =>
  resourceEntry('workbook', workbookId(block, index))

/** A workbook, and shares of it with 300 tenants and some more. */
export const sharedWithMany = workbookId(0, 999)
export const manyTenants = (more: number): string[] =>
  Array.from({ length: 300 + more }, (_, index) => `many-${10_000 + index}`)
export const sharesWithMany = (more: number): Change[] =>
  manyTenants(more).map((name) => share(deployment, 'workbook', sharedWithMany, embedTenant(name)))

/** Changes in batches. */
export function* catalog(
  workbooks: number,
  resource: (index: number) => object,
): Generator<Change[]> {
  yield [
    put('account', { id: account, name: 'Acme', embeddingEnabled: true }),
    put('deployment', { accountId: account, id: deployment, name: 'First' }),
    ...tree,
    share(deployment, 'folder', folders.shared, embedTenant(tenant)),
    share(deployment, 'folder', folders.everyones, allEmbedUsers),
  ]
  for (let block = 0; block < workbooks / blockWorkbooks; block += 1) yield blockOf(block, resource)
}

function blockOf(block: number, resource: (index: number) => object): Change[] {
  const sharedWith = (index: number, grantee: object) =>
    share(deployment, 'workbook', workbookId(block, index), grantee)
  const indexes = Array.from({ length: blockWorkbooks }, (_, index) => index)
  return [
    ...indexes.map((index) => {
      const place = {
        id: workbookId(block, index),
        deploymentId: deployment,
        folderId: folderOf(index),
      }
      return put('workbook', { ...resource(index), ...place })
    }),
    ...indexes.filter(isTenants).map((index) => sharedWith(index, embedTenant(tenant))),
    ...indexes.filter(isEveryones).map((index) => sharedWith(index, allEmbedUsers)),
    // A tenant of its own for each block.
    sharedWith(999, embedTenant(`tenant-${block}`)),
  ]
}
