import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { inGroups } from '@embed-access/core/storage/in-groups.ts'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableNames } from '@embed-access/core/storage/tables.ts'
import { expect } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { startOfTime } from './time.ts'

/**
 * Makes the tables of a service, with signing keys and these things. They are written in memory
 * first and then copied, which takes a tenth of the time of a call for each.
 */
export async function fillTables(storage: Storage, changes: readonly unknown[]): Promise<void> {
  const memory = await filledMemory(changes)
  await createTables(storage)
  for (const name of tableNames) {
    const puts = memory.items(name).map((Item) => ({ PutRequest: { Item } }))
    // A call takes at most 25.
    await inParallel(inGroups(puts, 25), async (group) => {
      const RequestItems = { [storage.tables[name]]: group }
      await storage.client.send(new BatchWriteCommand({ RequestItems }))
    })
  }
}

/** Tables in memory with signing keys and these things. */
export async function filledMemory(changes: readonly unknown[]): Promise<MemoryTables> {
  const memory = new MemoryTables()
  await fill(memory.storage, changes)
  return memory
}

/** Writes signing keys and these things into tables that are empty. */
export async function fill(storage: Storage, changes: readonly unknown[]): Promise<void> {
  await writeSigningKeys(storage, await firstSigningKeys(startOfTime), undefined)
  await applyAll(storage, changes, startOfTime)
}

/** Applies changes at a time, in milliseconds. All must be accepted. */
export async function applyAll(
  storage: Storage,
  changes: readonly unknown[],
  now: number,
): Promise<void> {
  const results = await catalogWriter(storage, { now: () => now })(changes)
  expect(results.filter(({ outcome }) => outcome === 'refused' || outcome === 'failed')).toEqual([])
}
