import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { partsOfKey } from '../storage/keys.ts'
import { keyOwner } from './keys.ts'

/**
 * An API key of this service. Secret scanners find it by its marker and length (docs/keys.md).
 *
 *   sk-ea_ ┃ holder in base64url, and _ ┃ 43 digits: 256 random bits ┃ 6 digits: CRC-32 of all before
 *
 * The digits are in base 62. Older keys name no holder, and neither do those whose holder's name is
 * too long.
 */
export const apiKeyPattern = /\bsk-ea_(?:[\w-]{2,200}_)?[0-9A-Za-z]{49}\b/

const marker = 'sk-ea_'
const maxHolderLength = 200
const randomDigits = 43
const checksumDigits = 6
const wholeKey = new RegExp(`^${apiKeyPattern.source}$`)

/** Whose an API key is. */
export type Holder = { readonly accountId: string; readonly userId: number }

export function newApiKey({ accountId, userId }: Holder): string {
  const holder = Buffer.from(keyOwner(accountId, userId)).toString('base64url')
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const body =
    marker + (holder.length > maxHolderLength ? '' : `${holder}_`) + base62(random, randomDigits)
  return body + checksumOf(body)
}

/**
 * It proves nothing, since anybody can make such a text. It only says what to read together with
 * the key's item.
 */
export function namedHolder(apiKey: string): Holder | undefined {
  const holder = apiKey.slice(marker.length, -(1 + randomDigits + checksumDigits))
  if (!wholeKey.test(apiKey) || holder === '') return undefined
  // Stryker disable next-line StringLiteral: The default of what is always there.
  const [accountId = '', userId] = partsOfKey(Buffer.from(holder, 'base64url').toString())
  return { accountId, userId: Number(userId) }
}

/** Such a key has our shape, exists nowhere and needs no look-up. */
export const isMistyped = (apiKey: string): boolean =>
  wholeKey.test(apiKey) &&
  checksumOf(apiKey.slice(0, -checksumDigits)) !== apiKey.slice(-checksumDigits)

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumDigits)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text.padStart(length, '0')
}
