import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * An API key of this service. Secret scanners find it by its marker and length (docs/api-keys.md).
 *
 *   sk-ea_ ┃ 43 digits: 256 random bits ┃ 6 digits: CRC-32 of all before      digits in base 62
 */
export const apiKeyPattern = /\bsk-ea_[0-9A-Za-z]{49}\b/

const marker = 'sk-ea_'
const randomDigits = 43
const checksumDigits = 6
const wholeKey = new RegExp(`^${marker}[0-9A-Za-z]{${randomDigits + checksumDigits}}$`)

/** Makes an API key. */
export function newApiKey(): string {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const body = marker + base62(random, randomDigits)
  return body + checksumOf(body)
}

/** Whether a key has our shape and a wrong checksum. Such a key exists nowhere and needs no look-up. */
export function isMistyped(apiKey: string): boolean {
  return wholeKey.test(apiKey) && checksumOf(apiKey.slice(0, -checksumDigits)) !== apiKey.slice(-checksumDigits)
}

const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumDigits)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text.padStart(length, '0')
}
