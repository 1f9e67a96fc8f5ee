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
 * An instance that finds a new revocation signs its document again at its next reading. The index
 * lags, so another instance may read the index later and still miss the revocation. A verifier with
 * that younger document refuses the first one of this instance, and takes the second one.
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
