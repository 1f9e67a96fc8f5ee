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
  // This ignores the warm-up's storage and reads the real keys, so the first request has them.
  partsForWarmUp: (parts) => ({ ...parts, verificationKeys: () => parts.verificationKeys() }),
  answer: async ({ storage, verificationKeys }) => ({
    body: JSON.stringify(await verificationKeys(storage)),
    headers,
  }),
})
