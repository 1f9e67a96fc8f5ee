import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { partsOfKey } from '../storage/keys.ts'
import type { StoredApiKey } from './api-keys.ts'
import { hashOfApiKey, keyOwner } from './keys.ts'

/**
 * An API key of this service. Secret scanners find it by its marker and length (docs/keys.md).
 *
 *   sk-ea_         the marker
 *   YWNtZSMz_      the holder in base64url: here account acme, user 3
 *   0Hk3…          43 digits: 256 random bits
 *   1qT0aZ         6 digits: the CRC-32 of all before
 *
 * The digits are in base 62. A key has no holder if it is old or its holder's name is too long.
 */
export const apiKeyPattern = /\bsk-ea_(?:[\w-]{2,200}_)?[0-9A-Za-z]{49}\b/

const marker = 'sk-ea_'
const maxHolderLength = 200
const randomDigits = 43
const checksumDigits = 6
const wholeKey = new RegExp(`^${apiKeyPattern.source}$`)

/** The operations that an API key opens, and that it may be limited to. */
export const keyOperations = [
  'list-embed-tenant-workbooks',
  'list-workbook-embed-tenants',
  'list-embed-tenants',
  'generate-session',
  'revoke-session',
  'list-dbt-syncs',
  'list-notifications',
] as const

/** The user for whom an API key acts. */
type Holder = { readonly accountId: string; readonly userId: number }

export function newApiKey({ accountId, userId }: Holder): string {
  const holder = Buffer.from(keyOwner(accountId, userId)).toString('base64url')
  const holderPart = holder.length > maxHolderLength ? '' : `${holder}_`
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const body = marker + holderPart + base62(random, randomDigits)
  return body + checksumOf(body)
}

/**
 * Makes an API key, and the catalog change that stores its hash. The change has a revision, so that
 * an export from before `keys revoke` does not bring the key back.
 */
export function apiKeyWithChange(details: Omit<StoredApiKey, 'tokenHash'>) {
  const apiKey = newApiKey(details)
  const data = { ...details, tokenHash: hashOfApiKey(apiKey) }
  const change = { kind: 'apiKey', revision: 0, data }
  return { apiKey, change }
}

/**
 * The holder that the text of a key names. So one round trip can read the key's item and the
 * holder. The text proves nothing, since anybody can write it.
 */
export function holderInText(apiKey: string): Holder | undefined {
  const holder = apiKey.slice(marker.length, -(1 + randomDigits + checksumDigits))
  if (!wholeKey.test(apiKey) || holder === '') return undefined
  const [accountId, userId] = partsOfKey(Buffer.from(holder, 'base64url').toString())
  return { accountId: String(accountId), userId: Number(userId) }
}

/** Whether a key has our shape and a wrong checksum. No such key exists, so it needs no look-up. */
export const isMistyped = (apiKey: string): boolean =>
  wholeKey.test(apiKey) && !hasItsChecksum(apiKey)

/** Whether a key begins like ours and is mistyped, cut off or too long. */
export const isDamaged = (apiKey: string): boolean =>
  apiKey.startsWith(marker) && !(wholeKey.test(apiKey) && hasItsChecksum(apiKey))

const hasItsChecksum = (apiKey: string): boolean =>
  checksumOf(apiKey.slice(0, -checksumDigits)) === apiKey.slice(-checksumDigits)

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumDigits)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text.padStart(length, '0')
}
