import type { Storage } from '@embed-access/core/storage/storage.ts'

/** Read and write units that one partition of a table or index gave. */
export type Units = { read: number; write: number }

export type UnitsByPartition = ReadonlyMap<string, Units>

type Key = { readonly pk: string }
type Request = { readonly Key?: Key; readonly Item?: Key; readonly TableName?: string }
type Input = Request & {
  readonly IndexName?: string
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>
  readonly TransactItems?: readonly Readonly<Record<string, Request>>[]
}
type Consumed = { readonly TableName?: string; readonly CapacityUnits?: number }

/** Keeps count of the units of each partition. The keys of one call share its units evenly. One measurement at a time. */
export function countByPartition({ client }: Storage): (work: () => Promise<unknown>) => Promise<UnitsByPartition> {
  let partitions = new Map<string, Units>()
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const input = args.input as Input
        const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } })
        const kind = /Get|Query/.test(commandName) ? 'read' : 'write'
        const asked = partitionsOf(input)
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Consumed | Consumed[] }
        for (const { TableName, CapacityUnits = 0 } of [ConsumedCapacity ?? []].flat()) {
          const ofTable = asked.filter(({ table }) => table === TableName)
          for (const { table, partition } of ofTable) {
            const name = `${table} ${partition}`
            const units = partitions.get(name) ?? { read: 0, write: 0 }
            units[kind] += CapacityUnits / ofTable.length
            partitions.set(name, units)
          }
        }
        return result
      },
    { step: 'initialize', priority: 'high', name: 'partitions' },
  )
  return async (work) => {
    partitions = new Map()
    await work()
    return partitions
  }
}

function partitionsOf(input: Input): { table: string | undefined; partition: string }[] {
  const { TableName: table, IndexName, ExpressionAttributeValues = {}, RequestItems = {}, TransactItems = [] } = input
  const of = ({ Key, Item, TableName }: Request) => {
    const pk = (Key ?? Item)?.pk
    return pk === undefined ? [] : [{ table: TableName, partition: pk }]
  }
  return [
    ...of(input),
    ...(IndexName ? [{ table, partition: `${IndexName} ${Object.values(ExpressionAttributeValues)[0]}` }] : []),
    ...Object.entries(RequestItems).flatMap(([table, { Keys }]) => Keys.map(({ pk }) => ({ table, partition: pk }))),
    ...TransactItems.flatMap((item) => Object.values(item).flatMap(of)),
  ]
}
