import { createRemoteJWKSet, jwtVerify } from 'jose'

const issuer = 'https://api.example.com'
const address = new URL(`${issuer}/.well-known/jwks.json`)
const keySet = createRemoteJWKSet(address, { cacheMaxAge: 24 * 3600 * 1000 })
// While the service does not answer, the last key set counts.
setInterval(() => keySet.reload().catch(() => {}), 300_000).unref()

/** Returns the claims of an embed token. Throws if anything about the token is wrong. */
export async function verify(token) {
  const currentDate = new Date()
  const { payload } = await jwtVerify(token, keySet, {
    issuer,
    audience: issuer,
    algorithms: ['ES256'],
    typ: 'embed+jwt',
    requiredClaims: ['exp', 'sub'],
    // The clock of this computer may be behind.
    clockTolerance: 30,
    currentDate,
  })
  if (payload.exp * 1000 <= currentDate.getTime()) throw new Error('The token has expired.')
  return payload
}
