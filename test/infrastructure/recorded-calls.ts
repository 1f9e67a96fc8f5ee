import { connect, type Storage } from '@embed-access/core/storage/storage.ts'

type Body = {
  readonly TableName?: string
  readonly IndexName?: string
  readonly RequestItems?: Readonly<Record<string, unknown>>
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[]
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array | string }

/** Storage that notes what is really sent, in the words of IAM: `GetItem credentials`, `Query catalog/byFolder`. */
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
  if (body.TransactItems) {
    return body.TransactItems.flatMap((item) =>
      Object.entries(item).map(([write, { TableName }]) => `${write}Item ${nameOf(TableName)}`),
    )
  }
  const table = nameOf(body.TableName as string)
  return [body.IndexName ? `${action} ${table}/${body.IndexName}` : `${action} ${table}`]
}

const textOf = (body: Uint8Array | string): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))
