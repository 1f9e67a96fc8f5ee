import { base64url } from 'jose'
import type { components } from './contract.ts'
import { latestOf } from './latest.ts'
import type { Time } from './time.ts'

const rhythm = { every: 15, again: 15, stale: 300 }

/** A name such as `acme#tenant#oak` says what can be revoked. These are its parts after `acme`. */
type Parts = readonly (string | number)[]

type Claims = components['schemas']['EmbedTokenClaims']
export type RevocationsDocument = components['schemas']['EmbedRevocations']

export type ReadDocument = { readonly document: RevocationsDocument; readonly etag: string | null }

/**
 * Follows the document of revocations.
 * @param read gives a valid document, or undefined if it is still the one with this `ETag`
 * @returns a function that says whether a token was revoked: true or false; undefined if the
 * document is not complete and does not name the token; an Error if no document is new enough
 */
export function revocationsOf(
  time: Time & { now(): number },
  read: (etag?: string | null) => Promise<ReadDocument | undefined>,
): (claims: Claims) => Promise<boolean | Error | undefined> {
  const latest = latestOf<ReadDocument>(time, rhythm, async (last) => {
    const next = (await read(last?.etag)) ?? last
    if (!next) throw new Error('There is no document that could be unchanged.')
    if (next.document.exp * 1000 <= time.now() || next.document.iat < (last?.document.iat ?? 0))
      throw new Error('The document of revocations has expired, or is older than the last one.')
    return next
  })

  return async (claims) => {
    const { value, stillCounts, cause } = await latest()
    if (!value) return new Error('The revocations could not be read yet.', { cause })
    const { complete, revoked } = value.document
    const hashes = await hashesOf(claims)
    if (hashes.some((each) => Number(revoked[each]) >= (claims.mintedBy?.at ?? 0))) return true
    if (!stillCounts) return new Error('The revocations are older than five minutes.', { cause })
    return complete === true ? false : undefined
  }
}

/** The hashes by which this token can be revoked (docs/verify-a-token.md#revocations). */
export async function hashesOf(claims: Claims): Promise<string[]> {
  const { accountId, jti, deploymentId, userId, mintedBy, embedTenantName, externalId } = claims
  const token = ['token', jti] as const
  const here = ['deployment', deploymentId] as const
  const all: Parts[] = [
    ['gone', 'account'],
    ['gone', ...here],
  ]
  if (userId !== undefined) all.push(['gone', 'user', userId])
  if (mintedBy) {
    const { userId: minter, key } = mintedBy
    all.push(['minter', 'user', minter])
    if (key) all.push(['minter', 'key', key], [...token, 'key', key])
    else all.push([...token, 'user', minter])
  }
  const scoped: Parts[] = [token]
  if (embedTenantName !== undefined) {
    scoped.push(['tenant', embedTenantName])
    if (externalId !== undefined)
      scoped.push(['user', embedTenantName, hex(await sha256(externalId))])
  }
  all.push(...scoped, ...scoped.map((each) => [...each, ...here]))
  return Promise.all(
    all.map(async (parts) => {
      const text = [accountId, ...parts].map(escaped).join('#')
      return base64url.encode((await sha256(text)).subarray(0, 16))
    }),
  )
}

const escaped = (part: string | number) => `${part}`.replaceAll('%', '%25').replaceAll('#', '%23')

const sha256 = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))

const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
