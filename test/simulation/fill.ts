import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { parse } from '@embed-access/core/catalog/parse.ts'
import type { Database } from './database.ts'

/** Puts things into a database at once, as the catalog stores them; deleted ones as tombstones. */
export function fill(database: Database, changes: Iterable<object>): void {
  for (const change of changes) {
    const parsed = parse(change)
    if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
    const Item = { ...parsed.key, ...parsed.content, ...(parsed.change.op === 'delete' && { deleted: true }) }
    database.execute(new PutCommand({ TableName: database.tables.catalog, Item }))
  }
}
