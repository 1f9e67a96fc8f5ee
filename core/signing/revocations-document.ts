import { hash } from 'node:crypto'
import { revocationsInForce } from '../access/revocations-in-force.ts'
import { memoizedFor } from '../storage/memoized-for.ts'
import type { Storage } from '../storage/storage.ts'
import type { tokenSigner } from './token-signer.ts'

/**
 * How long an instance and the caches behind it may together keep the document, in seconds. A
 * revocation reaches a verifier within 30 seconds: 12 here, 15 between two readings of the
 * verifier, and 3 for the lag of the index and for slow answers.
 */
export const documentMaxAgeSeconds = 12

/** How long the document is valid. */
const lifetimeSeconds = 120

/** After this time the document is signed again, even if no revocation has changed. */
const signedAgainSeconds = 60

/**
 * The signed document of all revocations, and when it was read, in milliseconds since the epoch.
 * While nothing changes, it stays the same for a minute, so that callers get a 304.
 *
 * The index lags. So another instance may read it later than this one, and still miss a new
 * revocation. A verifier that has the younger document of that instance refuses the older one of
 * this instance. So this instance signs a document with a new revocation again at its next reading.
 */
export function currentDocument({ issuer, now }: { readonly issuer: string; now(): number }) {
  let last: { jwt: string; etag: string; iat: number; content: string; isNew: boolean } | undefined
  return memoizedFor(
    async (storage: Storage, signer: Awaited<ReturnType<typeof tokenSigner>>) => {
      const readAt = now()
      const iat = Math.floor(readAt / 1000)
      const revocations = await revocationsInForce(storage, readAt)
      const content = JSON.stringify(revocations)
      const isNew = last?.content !== content
      if (!last || isNew || last.isNew || iat >= last.iat + signedAgainSeconds) {
        const claims = { iss: issuer, iat, exp: iat + lifetimeSeconds, ...revocations }
        const jwt = await signer.sign(claims, 'embed-revocations+jwt')
        // The tag is weak, because the gzipped body has the same one.
        last = { jwt, etag: `W/"${hash('sha256', jwt, 'base64url')}"`, iat, content, isNew }
      }
      return { jwt: last.jwt, etag: last.etag, readAt }
    },
    documentMaxAgeSeconds * 1000,
    now,
  )
}
