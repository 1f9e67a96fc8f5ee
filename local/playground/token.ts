import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose'

/** One thing that makes a token good or not. */
export type Check = { readonly passed: boolean; readonly text: string }

export const decode = (token: string) => ({ header: decodeProtectedHeader(token), claims: decodeJwt(token) })

/** Verifies as any recipient would: with the service's published keys. */
export async function verify(token: string, now: number): Promise<Check[]> {
  const { header, claims } = decode(token)
  const { nbf = Number.POSITIVE_INFINITY, exp = 0 } = claims
  const answer = await fetch('/.well-known/jwks.json').catch(() => undefined)
  const keySet: JSONWebKeySet = answer?.ok ? await answer.json() : { keys: [] }
  const hasKey = keySet.keys.some(({ kid }) => kid === header.kid)
  const isSigned = await compactVerify(token, createLocalJWKSet(keySet), { algorithms: ['ES256'] }).then(
    () => true,
    () => false,
  )
  return [
    { passed: hasKey, text: `The key set has ${hasKey ? 'the' : 'no'} key that the header names.` },
    {
      passed: isSigned,
      text: isSigned ? 'The signature is verified: ES256, by this key.' : 'The signature is not by this key.',
    },
    {
      passed: header.typ === 'embed+jwt' && header.alg === 'ES256',
      text: `The header says ${header.typ} and ${header.alg}.`,
    },
    {
      passed: nbf * 1000 <= now && now < exp * 1000,
      text: now < exp * 1000 ? 'It is valid by this machine’s clock.' : 'It has expired.',
    },
  ]
}
