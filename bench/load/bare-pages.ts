import type { Recorded } from './recorded.ts'

type Item = Readonly<Record<string, unknown>>

/** What commands of lib-dynamodb give, as far as it is used here. */
export type Output = {
  readonly Items?: readonly Item[]
  readonly Responses?: Readonly<Record<string, readonly Item[]>> | readonly { readonly Item?: Item }[]
  readonly Attributes?: Item
}

/** A page of documents, as many as a page has. The page info is the recorded one. */
export const page = (recorded: Recorded, items: readonly unknown[]): string =>
  `{"items":[${items.slice(0, 100).join(',')}],${recorded.body.slice(recorded.body.lastIndexOf('"pageInfo"'))}`

/** The documents of a query. */
export const documents = (outputs: readonly Output[]): unknown[] =>
  outputs.flatMap(({ Items = [] }) => Items.map(({ document }) => document))

/** The documents of workbooks, each with the folders above it. */
export function workbooks(ids: readonly number[], outputs: readonly Output[]): string[] {
  const items = new Map<unknown, Item>()
  for (const { Responses = [] } of outputs) {
    const given = Array.isArray(Responses) ? Responses.map(({ Item }) => Item) : Object.values(Responses).flat()
    // A share lies in the partition of what it shares, and has neither a document nor a name.
    for (const item of given) if (item?.document || item?.name) items.set(item.pk, item)
  }
  const paths = new Map<unknown, string>()
  return ids.map((id) => {
    const { document, folderId } = items.get(`1#workbook#${id}`) as Item
    if (!paths.has(folderId)) paths.set(folderId, JSON.stringify(pathFrom(folderId, items)))
    return `${(document as string).slice(0, -1)},"folderPath":${paths.get(folderId)}}`
  })
}

function pathFrom(folderId: unknown, items: ReadonlyMap<unknown, Item>): object[] {
  const path: object[] = []
  for (let id = folderId; id !== null; ) {
    const { name, parentId } = items.get(`1#folder#${id}`) as Item
    path.unshift({ id, name })
    id = parentId
  }
  return path
}
