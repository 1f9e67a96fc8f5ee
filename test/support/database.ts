import { randomBytes } from 'node:crypto'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { type ChangeResult, catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import type { Item, ItemKey } from '@embed-access/core/storage/item.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import { inject } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { patient } from './patient.ts'
import { startOfTime } from './time.ts'

/** Whether DYNAMODB_ENDPOINT names an engine. Quick tests in memory then use that one too. */
export const isAnotherEngine = process.env.DYNAMODB_ENDPOINT !== undefined

/** DynamoDB Local counts no units for the keys of a batch at which there is no item. */
export const countsUnits = !isAnotherEngine
export const withoutUnits = 'This engine does not count units as AWS documents them.'

/** Connects to tables that are still to be created. */
export const connectToEngine = (): Storage =>
  patient(
    connect(tablesWithPrefix(`test-${randomBytes(6).toString('hex')}`), inject('engineEndpoint')),
  )

/** Tables to which these changes were applied. */
export async function newTables(changes: readonly unknown[] = []): Promise<Storage> {
  const storage = connectToEngine()
  await createTables(storage)
  await apply(storage, changes)
  return storage
}

/** The same in memory, for tests of what is beside the database. */
export async function quickTables(changes: readonly unknown[] = []): Promise<Storage> {
  if (isAnotherEngine) return newTables(changes)
  const { storage } = new MemoryTables()
  await apply(storage, changes)
  return storage
}

/** The time of all changes of {@link apply}, in milliseconds. */
export const now = startOfTime

export const apply = (storage: Storage, changes: readonly unknown[]): Promise<ChangeResult[]> =>
  catalogWriter(storage, { now: () => now })(changes)

export const outcomesOf = async (
  storage: Storage,
  changes: readonly unknown[],
): Promise<string[]> => (await apply(storage, changes)).map(({ outcome }) => outcome)

export const exported = (storage: Storage, account?: string): Promise<string[]> =>
  Array.fromAsync(exportCatalog(storage, account))

type Send = (command: object) => Promise<object>

/** The same tables, reached another way. */
export const sentBy = (
  storage: Storage,
  send: (command: object, on: Send) => Promise<object>,
): Storage =>
  sendingThrough(storage, (command, options) =>
    send(command, (each) => storage.client.send(each as never, options)),
  )

/** The same tables. `happens` runs just before the n-th of the requests for which `isMeant`. */
export function interrupted(
  storage: Storage,
  n: number,
  isMeant: (command: object) => boolean,
  happens: () => Promise<unknown>,
): Storage {
  let count = 0
  return sentBy(storage, async (command, on) => {
    if (isMeant(command) && ++count === n) await happens()
    return on(command)
  })
}

/**
 * The same tables, where some requests fail. `pause` does not wait, and notes for how long it would
 * have.
 */
function failing(storage: Storage, error: () => Error, fails: (command: object) => boolean) {
  const pauses: number[] = []
  const sending = sentBy(storage, (command, on) =>
    fails(command) ? Promise.reject(error()) : on(command),
  )
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  return { storage: { ...sending, pause }, pauses }
}

/** The same tables. The database refuses some requests, by default because it throttles them. */
export const refusing = (
  storage: Storage,
  isRefused: (command: object) => boolean,
  name = 'ThrottlingException',
) => failing(storage, () => Object.assign(new Error(name), { name }), isRefused)

/**
 * The same tables, whose first transactions are cancelled.
 * @param codes the reasons, one for each action; undefined: a reason without a code
 */
export function cancelling(storage: Storage, times: number, ...codes: (string | undefined)[]) {
  let left = times
  const CancellationReasons = codes.map((Code) => (Code === undefined ? {} : { Code }))
  return failing(
    storage,
    () => new TransactionCanceledException({ message: 'no', $metadata: {}, CancellationReasons }),
    (command) => command instanceof TransactWriteCommand && left-- > 0,
  )
}

export const itemAt = async (
  { client, tables }: Storage,
  table: TableName,
  Key: ItemKey,
): Promise<Item | undefined> =>
  (await client.send(new GetCommand({ TableName: tables[table], Key, ConsistentRead: true })))
    .Item as Item | undefined

export const putItem = ({ client, tables }: Storage, table: TableName, Item: object) =>
  client.send(new PutCommand({ TableName: tables[table], Item: { ...Item } }))
