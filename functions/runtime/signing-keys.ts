import { currentPublicKeys, currentSigner } from '@embed-access/core/sessions/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type { Environment } from './environment.ts'

/** The key that signs and the keys that verify, as {@link currentSigner} and {@link currentPublicKeys} keep them. */
export const signer = (_: Environment, storage: Storage) => currentSigner(storage, Date.now)
export const verificationKeys = (_: Environment, storage: Storage) => currentPublicKeys(storage, Date.now)
