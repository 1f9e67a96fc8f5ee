import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { StorageAccess } from '../runtime/definition.ts'
import { anyCaller } from './any-caller.ts'

/** A function whose answer is always the same asks no database. */
const noStorage = { client: {}, tables: {} } as Storage

const noTables: StorageAccess = {
  connect: () => noStorage,
  firstReads: async () => {},
  sendingNothing: () => noStorage,
}

/** The parts of a public operation whose answer is always the same. */
export const forConstants = { storage: noTables, caller: anyCaller, make: () => ({}) }
