import { connect, type Storage } from '@embed-access/core/storage/storage.ts'

type Keyed = { readonly pk: { readonly S: string } }

type Write = { readonly TableName: string; readonly Item?: Keyed; readonly Key?: Keyed }

type Body = Partial<Write> & {
  readonly IndexName?: string
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Keyed[] }>>
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[]
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array | string }

/**
 * Storage that notes what is really sent, in the words of IAM: `Query catalog/byFolder`, and reads and writes by key with
 * what their partition key begins with: `PutItem sessions end#`.
 */
export function recordedStorage(tables: Storage['tables'], endpoint: string, noted: Set<string>): Storage {
  const storage = connect(tables, endpoint)
  const nameOf = (physical: string) => Object.entries(tables).find(([, name]) => name === physical)?.[0] ?? physical
  storage.client.middlewareStack.add(
    (next) => async (args) => {
      const { headers, body } = args.request as Sent
      const action = (headers['x-amz-target'] as string).split('.')[1] as string
      for (const call of needed(action, JSON.parse(textOf(body)) as Body, nameOf)) noted.add(call)
      return next(args)
    },
    { step: 'finalizeRequest' },
  )
  return storage
}

/** A call to several tables needs the action on each; a transaction needs those of its reads or writes. */
function needed(action: string, body: Body, nameOf: (physical: string) => string): string[] {
  if (body.RequestItems) {
    return Object.entries(body.RequestItems).flatMap(([TableName, { Keys }]) =>
      Keys.map((Key) => written(action, { TableName, Key }, nameOf)),
    )
  }
  if (body.TransactItems) {
    return body.TransactItems.flatMap((item) =>
      Object.entries(item).map(([action, write]) => written(`${action}Item`, write, nameOf)),
    )
  }
  if (/^(Put|Update|Delete)Item$/.test(action)) return [written(action, body as Write, nameOf)]
  if (action === 'GetItem') return [written(action, body as Write, nameOf)]
  const table = nameOf(body.TableName as string)
  return [body.IndexName ? `${action} ${table}/${body.IndexName}` : `${action} ${table}`]
}

function written(action: string, { TableName, Item, Key }: Write, nameOf: (physical: string) => string): string {
  const partition = (Item ?? Key)?.pk.S as string
  return `${action} ${nameOf(TableName)} ${partition.slice(0, partition.indexOf('#') + 1)}`
}

const textOf = (body: Uint8Array | string): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))
