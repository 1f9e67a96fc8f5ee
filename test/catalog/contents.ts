import { paginateScan } from '@aws-sdk/lib-dynamodb'
import type { Item } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'

/**
 * The items of the catalog's tables, by key; without those that only help, and without versions.
 */
export const contents = async (storage: Storage): Promise<Item[]> =>
  (await everything(storage)).filter(({ kind }) => kind !== undefined)

/** All that the catalog's tables have, by key, without versions. */
export async function everything({ client, tables }: Storage): Promise<Item[]> {
  const items: Item[] = []
  for (const TableName of [tables.catalog, tables.credentials]) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName }))
      items.push(...(Items as Item[]))
  }
  return items
    .map(
      ({ tenantVersion, defaultsVersion, notificationVersion, listVersion, ...item }) =>
        withoutVersions(item) as Item,
    )
    .sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1))
}

/** The fields of an item, and of the definitions within it. */
const withoutVersions = ({ version, ...fields }: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      /^(group|attribute):/.test(name) ? withoutVersions(value as Record<string, unknown>) : value,
    ]),
  )
