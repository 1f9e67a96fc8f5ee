import { get, send } from './api.ts'
import { isObject, type JsonObject } from './json.ts'

export type Token = { readonly header: JsonObject; readonly claims: JsonObject; readonly parts: readonly string[] }

/** One thing that makes a token good or not. */
export type Check = { readonly passed: boolean; readonly text: string }

export function decode(token: string): Token {
  const parts = token.split('.')
  const [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(new TextDecoder().decode(bytesOf(part))))
  if (parts.length !== 3 || !isObject(header) || !isObject(claims)) throw new Error('This is not a JWT.')
  return { header, claims, parts }
}

/** Verifies as any recipient would: with the service's published keys and the browser's own cryptography. */
export async function verify({ header, claims, parts }: Token, now: number): Promise<Check[]> {
  const answer = await send(get('/.well-known/jwks.json', ''))
  const keys = isObject(answer.body) && Array.isArray(answer.body.keys) ? (answer.body.keys as JsonObject[]) : []
  const key = keys.find(({ kid }) => kid === header.kid)
  const signed = key !== undefined && (await isSignedBy(key, parts))
  const { nbf, exp } = claims
  return [
    {
      passed: key !== undefined,
      text: key ? 'The key set has the key that the header names.' : 'The key set has no key that the header names.',
    },
    {
      passed: signed,
      text: signed ? 'The signature is verified: ES256, by this key.' : 'The signature is not by this key.',
    },
    {
      passed: header.typ === 'embed+jwt' && header.alg === 'ES256',
      text: `The header says ${header.typ} and ${header.alg}.`,
    },
    {
      passed: Number(nbf) * 1000 <= now && now < Number(exp) * 1000,
      text: now < Number(exp) * 1000 ? 'It is valid by this machine’s clock.' : 'It has expired.',
    },
  ]
}

async function isSignedBy({ kty, crv, x, y }: JsonObject, [header, claims, signature]: readonly string[]) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const jwk = { kty, crv, x, y } as JsonWebKey
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, key, bytesOf(signature ?? ''), new TextEncoder().encode(`${header}.${claims}`))
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
