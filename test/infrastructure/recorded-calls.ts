import { connect, type Storage } from '@embed-access/core/storage/storage.ts'

type Keyed = { readonly pk: { readonly S: string } }

type Write = { readonly TableName: string; readonly Item?: Keyed; readonly Key?: Keyed }

type Body = Partial<Write> & {
  readonly IndexName?: string
  readonly RequestItems?: Readonly<Record<string, unknown>>
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[]
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array | string }

/**
 * Storage that notes what is really sent, in the words of IAM: `GetItem credentials`, `Query catalog/byFolder`, and
 * writes with what their partition key begins with: `PutItem sessions end#`.
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

/** A call to several tables needs the action on each; a transaction needs those of its writes. */
function needed(action: string, body: Body, nameOf: (physical: string) => string): string[] {
  if (body.RequestItems) return Object.keys(body.RequestItems).map((table) => `${action} ${nameOf(table)}`)
  if (body.TransactItems && action === 'TransactGetItems') {
    return body.TransactItems.flatMap((item) =>
      Object.values(item).map(({ TableName }) => `GetItem ${nameOf(TableName)}`),
    )
  }
  if (body.TransactItems) {
    return body.TransactItems.flatMap((item) =>
      Object.entries(item).map(([action, write]) => written(`${action}Item`, write, nameOf)),
    )
  }
  if (/^(Put|Update|Delete)Item$/.test(action)) return [written(action, body as Write, nameOf)]
  const table = nameOf(body.TableName as string)
  // Of this table a role may read one item or the other.
  if (table === 'signingKeys') return [written(action, body as Write, nameOf)]
  return [body.IndexName ? `${action} ${table}/${body.IndexName}` : `${action} ${table}`]
}

function written(action: string, { TableName, Item, Key }: Write, nameOf: (physical: string) => string): string {
  const partition = (Item ?? Key)?.pk.S as string
  return `${action} ${nameOf(TableName)} ${partition.slice(0, partition.indexOf('#') + 1)}`
}

const textOf = (body: Uint8Array | string): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))
