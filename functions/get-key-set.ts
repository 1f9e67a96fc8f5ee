import { keySetMaxAgeSeconds } from '@embed-access/core/signing/signing-keys.ts'
import { currentPublicKeys } from '@embed-access/core/signing/stored-keys.ts'
import { anyCaller } from './http/any-caller.ts'
import { cacheableFor } from './http/headers.ts'
import { operation } from './http/operation.ts'
import { storage } from './runtime/storage.ts'

const headers = cacheableFor(keySetMaxAgeSeconds)

export const handler = await operation('get-key-set', {
  storage,
  caller: anyCaller,
  make: (given) => ({ verificationKeys: currentPublicKeys(given) }),
  // Without the storage of the warm-up, this reads the real keys. The first request finds them.
  partsForWarmUp: (parts) => ({ ...parts, verificationKeys: () => parts.verificationKeys() }),
  answer: async ({ storage, verificationKeys }) => ({
    body: JSON.stringify(await verificationKeys(storage)),
    headers,
  }),
})
