import { connect, type Storage } from '@embed-access/core/storage/storage.ts'

type Keyed = { readonly pk: { readonly S: string } }

type Body = {
  readonly TableName?: string
  readonly Item?: Keyed
  readonly Key?: Keyed
  readonly IndexName?: string
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Keyed[] }>>
  readonly TransactItems?: readonly Readonly<Record<string, Body>>[]
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array | string }

/**
 * Storage that notes what is really sent, in the words of IAM: `Query catalog/byFolder`, and reads and writes by key with
 * what their partition key begins with: `PutItem sessions end#`.
 */
export function recordedStorage(tables: Storage['tables'], endpoint: string, noted: Set<string>): Storage {
  const storage = connect(tables, endpoint)
  const nameOf = (physical?: string) => Object.entries(tables).find(([, name]) => name === physical)?.[0]
  /** A call to several tables needs the action on each; a transaction needs those of its reads or writes. */
  const needed = (action: string, body: Body): string[] => {
    const { TableName, IndexName, Key, Item = Key, RequestItems, TransactItems } = body
    if (RequestItems) {
      const tables = Object.entries(RequestItems)
      return tables.flatMap(([TableName, { Keys }]) => Keys.flatMap((Key) => needed(action, { TableName, Key })))
    }
    if (TransactItems) {
      return TransactItems.flatMap(Object.entries<Body>).flatMap(([action, write]) => needed(`${action}Item`, write))
    }
    if (Item) return [`${action} ${nameOf(TableName)} ${Item.pk.S.replace(/#.*/s, '#')}`]
    return [`${action} ${nameOf(TableName)}${IndexName ? `/${IndexName}` : ''}`]
  }
  storage.client.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as Sent
      const action = (headers['x-amz-target'] as string).split('.')[1] as string
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
      for (const call of needed(action, JSON.parse(text))) noted.add(call)
      return next(args)
    },
    { step: 'finalizeRequest' },
  )
  return storage
}
