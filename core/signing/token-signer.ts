import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { embedTokenAlgorithm, embedTokenType } from '../access/embed-token.ts'
import { keyInState, type SigningKeys } from './signing-keys.ts'

/**
 * Signs tokens, or JWTs of another type, with the active key. `since` is when the key became
 * active, in seconds since the epoch.
 */
export async function tokenSigner(keys: SigningKeys) {
  const { kty, crv, x, y, d, kid, since } = keyInState(keys, 'active')
  const signingKey = await importJWK({ kty, crv, x, y, d }, embedTokenAlgorithm)
  const sign = (claims: JWTPayload, typ: string = embedTokenType) =>
    new SignJWT(claims).setProtectedHeader(protectedHeader(kid, typ)).sign(signingKey)
  return { sign, since }
}

const protectedHeader = (kid: string, typ: string) => ({ alg: embedTokenAlgorithm, typ, kid })

/**
 * The bytes that a token with these claims will have. A `kid` of ours is a SHA-256 thumbprint in
 * base64url (RFC 7638), which has 43 letters. A signature of ES256 has 64 bytes.
 */
export function embedTokenBytes(claims: object): number {
  const header = protectedHeader('k'.repeat(43), embedTokenType)
  const dots = 2
  return encodedJson(header) + encodedJson(claims) + base64Length(64) + dots
}

const encodedJson = (part: object) => base64Length(Buffer.byteLength(JSON.stringify(part)))

const base64Length = (bytes: number): number => Math.ceil((bytes * 4) / 3)
