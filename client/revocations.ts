import { base64url } from 'jose'
import type { components } from './contract.ts'
import { patience } from './key-set.ts'
import type { Time } from './time.ts'

/** How often the document is read, and how often until there is a first one, in seconds. */
const everySeconds = 15
const everySecondsAtFirst = 1

/** How old the last document may be, in seconds. */
const staleSeconds = 300

/**
 * The parts of a text such as `acme#tenant#oak`, which names what can be revoked. They leave out
 * the account, with which every text begins.
 */
type Parts = readonly (string | number)[]

type Claims = components['schemas']['EmbedTokenClaims']
export type RevocationsDocument = components['schemas']['EmbedRevocations']

export type ReadDocument = { readonly document: RevocationsDocument; readonly etag: string | null }

/**
 * Follows the document of revocations. When a token comes, and the last reading began at least 15
 * seconds ago, the document is read again. Tokens that come during the reading wait for the same
 * one. While no token comes, nothing runs.
 * @param read gives a valid document, or undefined if it is still the one with this `ETag`
 * @returns a function that says whether a token was revoked: true or false; undefined if the
 * document is not complete and does not name the token; an Error if no document is new enough
 */
export function revocationsOf(
  time: Time & { now(): number },
  read: (etag?: string | null) => Promise<ReadDocument | undefined>,
): (claims: Claims) => Promise<boolean | Error | undefined> {
  let held: (ReadDocument & { readonly age: () => number }) | undefined
  let sinceLastReading: (() => number) | undefined
  let reading: Promise<unknown> | undefined
  let readingOrLate: Promise<unknown> | undefined
  let cause: unknown

  async function readNext(age: () => number): Promise<void> {
    const next = (await read(held?.etag)) ?? held
    if (!next) throw new Error('There is no document that could be unchanged.')
    if (next.document.exp * 1000 <= time.now() || next.document.iat < (held?.document.iat ?? 0))
      throw new Error('The document of revocations has expired, or is older than the last one.')
    held = { ...next, age }
  }

  return async (claims) => {
    const pauseSeconds = held ? everySeconds : everySecondsAtFirst
    // Only one reading runs at a time.
    if (!reading && (sinceLastReading?.() ?? Infinity) >= pauseSeconds) {
      sinceLastReading = time.startStopwatch()
      reading = readNext(sinceLastReading)
        .catch((error: unknown) => (cause = error))
        .finally(() => (reading = undefined))
      readingOrLate = held && Promise.race([reading, time.pause(patience)])
    }
    // If the last document still counts, a caller waits only a short time.
    await (held && held.age() < staleSeconds ? readingOrLate : reading)
    if (!held) return new Error('The revocations could not be read yet.', { cause })
    const { complete, revoked } = held.document
    const hashes = await hashesOf(claims)
    if (hashes.some((each) => Number(revoked[each]) >= (claims.mintedBy?.at ?? 0))) return true
    if (held.age() >= staleSeconds)
      return new Error('The revocations are older than five minutes.', { cause })
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
    const { userId, key } = mintedBy
    all.push(['minter', 'user', userId], [...token, ...(key ? ['key', key] : ['user', userId])])
    if (key) all.push(['minter', 'key', key])
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
