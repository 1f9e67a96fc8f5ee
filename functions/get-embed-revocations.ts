import {
  currentDocument,
  documentMaxAgeSeconds,
} from '@embed-access/core/signing/revocations-document.ts'
import { currentSigner } from '@embed-access/core/signing/stored-keys.ts'
import { anyCaller } from './http/any-caller.ts'
import { cacheableFor } from './http/headers.ts'
import { operation } from './http/operation.ts'
import { issuer } from './runtime/environment.ts'
import { storage } from './runtime/storage.ts'

export const handler = await operation('get-embed-revocations', {
  storage,
  caller: anyCaller,
  make: ({ environment, storage, now }) => ({
    signer: currentSigner({ storage, now }),
    document: currentDocument({ issuer: issuer(environment), now }),
  }),
  // This ignores the warm-up's storage and reads the real keys, so the first request has them.
  partsForWarmUp: (parts) => ({
    ...parts,
    signer: () => parts.signer(),
    document: currentDocument(parts),
  }),
  async answer({ storage, now, signer, document }) {
    const { jwt, etag, readAt } = await document(storage, await signer(storage))
    const age = Math.ceil((now() - readAt) / 1000)
    return {
      body: jwt,
      headers: {
        'content-type': 'application/jwt',
        ...cacheableFor(Math.max(0, documentMaxAgeSeconds - age)),
        etag,
      },
      isCompressible: true,
    }
  },
})
