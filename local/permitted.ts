import { type Send, sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { FunctionRecord, TablePermission } from '../functions/operations/record.ts'

/** What IAM looks at in a call to the database. */
type Access = {
  action: string
  table: string
  index?: string | undefined
  partition: string
}

/** The fields of all commands. lib-dynamodb has a type for each of them. */
type Input = {
  TableName: string
  IndexName?: string
  Key?: { pk: string } | undefined
  Item?: { pk: string }
  ExpressionAttributeValues?: { ':p': string }
  RequestItems?: Record<string, { Keys: readonly Input['Key'][] }>
  TransactItems?: readonly Record<string, Input>[]
}

/**
 * The permissions that a command needs. A call to several tables needs the action on each. A
 * transaction needs those of its reads or writes.
 */
export function accessesOf(command: Parameters<Send>[0], tables: Storage['tables']): Access[] {
  const nameOf = (physical: string) =>
    Object.entries(tables).find(([, name]) => name === physical)?.[0] ?? physical
  const needed = (name: string, input: Input): Access[] => {
    const { TableName, IndexName: index, RequestItems, TransactItems } = input
    if (RequestItems)
      return Object.entries(RequestItems).flatMap(([TableName, { Keys }]) =>
        Keys.flatMap((Key) => needed(name, { TableName, Key })),
      )
    if (TransactItems)
      return TransactItems.flatMap(Object.entries).flatMap(([name, each]) => needed(name, each))
    const { pk } = input.Item ?? input.Key ?? {}
    const partition = pk ?? input.ExpressionAttributeValues?.[':p'] ?? ''
    const action = name === 'Query' ? name : `${name}Item`
    return [{ action, table: nameOf(TableName), index, partition }]
  }
  return needed(command.constructor.name.replace(/Command$/, ''), command.input as Input)
}

/** The storage of a function on this machine. It refuses what IAM refuses the function on AWS. */
export const permitted = (storage: Storage, { tables }: Pick<FunctionRecord, 'tables'>): Storage =>
  sendingThrough(storage, async (command, options) => {
    for (const access of accessesOf(command, storage.tables)) {
      if (tables.some((permission) => allows(permission, access))) continue
      const { action, table, index } = access
      const message = `The function may not ${action} ${table}${index ? `/${index}` : ''}.`
      throw Object.assign(new Error(message), { name: 'AccessDeniedException' })
    }
    return storage.client.send(command, options)
  })

/** Decides as IAM does by the policy of stacks/policies.ts. */
function allows(permission: TablePermission, { action, table, index, partition }: Access): boolean {
  const { reads = [], narrowReads = {}, writes = {}, indexes = [] } = permission
  if (table !== permission.table) return false
  if (index !== undefined) return indexes.includes(index)
  if (reads.some((each) => each === action)) return true
  const narrow: Record<string, readonly string[] | undefined> = { ...narrowReads, ...writes }
  return narrow[action]?.some((beginning) => partition.startsWith(beginning)) ?? false
}
