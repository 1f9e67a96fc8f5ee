import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * The keys that we mint: `sk-ea_`, 256 random bits as 43 digits of base 62, and a checksum of 6 more. The marker `ea_`
 * and the fixed length make it certain that a key of this shape is one of ours. Published in docs/api-keys.md for
 * secret scanners.
 */
export const apiKeyPattern = /\bsk-ea_[0-9A-Za-z]{49}\b/

const marker = 'sk-ea_'
const randomDigits = 43
const checksumDigits = 6
const wholeKey = new RegExp(`^${marker}[0-9A-Za-z]{${randomDigits + checksumDigits}}$`)

export function newApiKey(): string {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
  const body = marker + base62(random, randomDigits)
  return body + checksumOf(body)
}

/** Whether a key has the shape of ours and not its checksum: then nobody has it, and no look-up is needed to know. */
export function isMistyped(apiKey: string): boolean {
  return wholeKey.test(apiKey) && checksumOf(apiKey.slice(0, -checksumDigits)) !== apiKey.slice(-checksumDigits)
}

/** The CRC-32 of all that stands before it, marker included. */
const checksumOf = (body: string): string => base62(BigInt(crc32(body)), checksumDigits)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = `${digits[Number(rest % 62n)]}${text}`
  return text.padStart(length, '0')
}
