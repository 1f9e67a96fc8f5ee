import { hash } from 'node:crypto'
import { revocationsInForce } from '../access/revocations-in-force.ts'
import { memoizedFor } from '../storage/memoized-for.ts'
import type { Storage } from '../storage/storage.ts'
import type { tokenSigner } from './token-signer.ts'

const revocationsType = 'embed-revocations+jwt'

/**
 * How long an instance and the caches behind it may together keep the document, in seconds. A
 * verifier reads it every 15 seconds. The index and the answers have 3 seconds of the 30 in which a
 * revocation reaches a verifier.
 */
export const documentMaxAgeSeconds = 12

/** How long the document is valid, and how soon it is signed again though nothing has changed. */
const [lifetimeSeconds, signedAgainSeconds] = [120, 60]

type Signer = Awaited<ReturnType<typeof tokenSigner>>

/**
 * The signed document of all revocations, and when it was read, in milliseconds since the epoch.
 * While nothing changes, it stays the same for a minute, so that callers need not get it again.
 */
export function currentDocument({ issuer, now }: { readonly issuer: string; now(): number }) {
  let last:
    | { readonly jwt: string; readonly etag: string; iat: number; content: string }
    | undefined
  return memoizedFor(
    async (storage: Storage, signer: Signer) => {
      const readAt = now()
      const iat = Math.floor(readAt / 1000)
      const revocations = await revocationsInForce(storage, readAt)
      const content = JSON.stringify(revocations)
      if (last?.content !== content || iat >= last.iat + signedAgainSeconds) {
        const claims = { iss: issuer, iat, exp: iat + lifetimeSeconds, ...revocations }
        const jwt = await signer.sign(claims, revocationsType)
        // Weak, because gzip has the same.
        last = { jwt, etag: `W/"${hash('sha256', jwt, 'base64url')}"`, iat, content }
      }
      return { jwt: last.jwt, etag: last.etag, readAt }
    },
    documentMaxAgeSeconds * 1000,
    now,
  )
}
