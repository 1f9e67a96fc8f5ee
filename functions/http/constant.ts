import type { StorageAccess } from '../runtime/definition.ts'
import { anyCaller } from './caller.ts'

const noStorage: StorageAccess<undefined> = {
  connect: () => undefined,
  firstReads: async () => {},
  sendingNothing: () => undefined,
  changed: () => undefined,
}

/** The parts of a public operation whose answer is always the same. */
export const forConstants = { storage: noStorage, caller: anyCaller, make: () => ({}) }
