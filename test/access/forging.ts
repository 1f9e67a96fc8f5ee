import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JWK } from 'jose'

/*
 * The hardest case for a mix-up: one key set, issuer and audience for embed tokens and for the access tokens of an
 * account, and claims that satisfy both. Nothing but the type in the header tells one from the other.
 */

export const audience = 'https://embed.test/api'
export const types = ['embed+jwt', 'at+jwt'] as const
export type Type = (typeof types)[number]

export type KeyPair = { readonly kid: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }
export type Fields = Readonly<Record<string, unknown>>

const newKeyPair = (kid: string): KeyPair => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) })
export const [ours, oursToo, attackers] = ['ours', 'ours too', 'attackers'].map(newKeyPair) as [
  KeyPair,
  KeyPair,
  KeyPair,
]

export const jwkOf = ({ kid, publicKey }: KeyPair): JWK => ({
  ...(publicKey.export({ format: 'jwk' }) as JWK),
  kid,
  alg: 'ES256',
  use: 'sig',
})

/** Keys that would do for other algorithms than ours: published, so that only the list of algorithms stands before them. */
export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
export const mlDsa = generateKeyPairSync('ml-dsa-44')
export const ed25519 = generateKeyPairSync('ed25519')
export const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
export const published = {
  keys: [
    jwkOf(ours),
    jwkOf(oursToo),
    { ...(rsa.publicKey.export({ format: 'jwk' }) as JWK), kid: 'rsa' },
    { ...(weakRsa.publicKey.export({ format: 'jwk' }) as JWK), kid: 'weak rsa' },
    { ...(ed25519.publicKey.export({ format: 'jwk' }) as JWK), kid: 'ed25519' },
    { ...(mlDsa.publicKey.export({ format: 'jwk' }) as unknown as JWK), kid: 'ml-dsa' },
  ],
}

export const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** By hand, since no library makes most of these. */
export function signed(header: unknown, claims: unknown, by: (input: string) => Buffer = es256(ours)): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${by(input).toString('base64url')}`
}

export const es256 =
  ({ privateKey }: KeyPair, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363') =>
  (input: string): Buffer =>
    sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding })

export const hs256 =
  (secret: string | Buffer) =>
  (input: string): Buffer =>
    createHmac('sha256', secret).update(input).digest()

export const unsigned = (): Buffer => Buffer.alloc(0)
