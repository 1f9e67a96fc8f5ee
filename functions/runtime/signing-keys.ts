import { currentPublicKeys, currentSigner } from '@embed-access/core/sessions/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Environment } from './environment.ts'

/** The key that signs, and that verify, as {@link currentSigner} and {@link currentPublicKeys} keep them. */
export const signer = (_: Environment, storage: Storage) => loaded(currentSigner(storage, Date.now))
export const verificationKeys = (_: Environment, storage: Storage) => loaded(currentPublicKeys(storage, Date.now))

/** Reads while the function loads, when time is cheap. A read that fails now fails no function: a request tries again. */
async function loaded<Value>(read: () => Promise<Value>): Promise<() => Promise<Value>> {
  await read().catch(() => undefined)
  return read
}
