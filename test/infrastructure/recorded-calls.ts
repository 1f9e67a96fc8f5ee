import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { Inputs } from './mocks.ts'

/**
 * Storage that notes what is really sent, in the words of IAM: `Query catalog/byFolder`, and reads and writes by key with
 * what their partition key begins with: `PutItem sessions end#`.
 */
export function recordedStorage(tables: Storage['tables'], endpoint: string, noted: Set<string>): Storage {
  const storage = connect(tables, endpoint)
  const nameOf = (physical?: string) => Object.entries(tables).find(([, name]) => name === physical)?.[0]
  /** A call to several tables needs the action on each; a transaction needs those of its reads or writes. */
  const needed = (action: string, body: Inputs): string[] => {
    const { TableName, IndexName, Key, Item = Key, RequestItems, TransactItems } = body
    if (RequestItems) {
      const tables = Object.entries<Inputs>(RequestItems)
      return tables.flatMap(([TableName, { Keys }]) =>
        Keys.flatMap((Key: Inputs) => needed(action, { TableName, Key })),
      )
    }
    if (TransactItems) {
      const writes: [action: string, write: Inputs][] = TransactItems.flatMap(Object.entries)
      return writes.flatMap(([action, write]) => needed(`${action}Item`, write))
    }
    if (Item) return [`${action} ${nameOf(TableName)} ${Item.pk.S.replace(/#.*/s, '#')}`]
    return [`${action} ${nameOf(TableName)}${IndexName ? `/${IndexName}` : ''}`]
  }
  storage.client.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as Inputs
      const action = headers['x-amz-target'].split('.')[1]
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
      for (const call of needed(action, JSON.parse(text))) noted.add(call)
      return next(args)
    },
    { step: 'finalizeRequest' },
  )
  return storage
}
