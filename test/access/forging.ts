import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JWK } from 'jose'

type KeyPair = {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}
export type Fields = Readonly<Record<string, unknown>>

const newKeyPair = (kid: string): KeyPair => ({
  kid,
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
})
export const [ours, oursToo, attackers] = [
  newKeyPair('ours'),
  newKeyPair('ours too'),
  newKeyPair('attackers'),
]

const bareJwk = ({ publicKey }: { readonly publicKey: KeyObject }) =>
  publicKey.export({ format: 'jwk' }) as JWK

export const jwkOf = (pair: KeyPair): JWK => ({
  ...bareJwk(pair),
  kid: pair.kid,
  alg: 'ES256',
  use: 'sig',
})

/**
 * Keys that would do for other algorithms than ours: published, so that only the list of algorithms
 * stands before them.
 */
export const others = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  weakRsa: generateKeyPairSync('rsa', { modulusLength: 1024 }),
  p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed25519: generateKeyPairSync('ed25519'),
  mlDsa: generateKeyPairSync('ml-dsa-44'),
}

const othersPublished = Object.entries(others).map(
  ([kid, pair]): JWK => ({ ...bareJwk(pair), kid }),
)
export const published = { keys: [jwkOf(ours), jwkOf(oursToo), ...othersPublished] }

export const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

type Signer = (input: string) => Buffer

/** By hand, since no library makes most of these. */
export function signed(header: unknown, claims: unknown, by: Signer = es256(ours)): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${by(input).toString('base64url')}`
}

export const es256 =
  ({ privateKey }: KeyPair, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): Signer =>
  (input) =>
    sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding })

export const hs256 =
  (secret: string | Buffer): Signer =>
  (input) =>
    createHmac('sha256', secret).update(input).digest()

/** Signs with one of {@link others}. */
export const withKey =
  (kid: keyof typeof others, digest: string | null): Signer =>
  (input) =>
    sign(digest, Buffer.from(input), others[kid].privateKey)

export const unsigned: Signer = () => Buffer.alloc(0)
