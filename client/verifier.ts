import { errors, type JSONWebKeySet, type JWTVerifyOptions, jwtVerify } from 'jose'
import { ApiError } from './api-error.ts'
import { callerOf, requireWebAddress, type Service } from './call.ts'
import type { components, paths } from './contract.ts'
import { keysOf } from './key-set.ts'
import { withRetries } from './retries.ts'
import { type ReadDocument, type RevocationsDocument, revocationsOf } from './revocations.ts'
import { realTime, type Time } from './time.ts'

const session: keyof paths = '/api/v1/embed/session'

export type EmbedTokenClaims = components['schemas']['EmbedTokenClaims']

export type VerifierOptions = Pick<Service, 'fetch'> & {
  /** The address of the service, which is the issuer of its tokens. */
  readonly issuer: string
  /** The audience of the service: its address, unless its stage sets another. */
  readonly audience: string
  /**
   * The account whose tokens count. All accounts share issuer and keys, so another account's token
   * also has a valid signature.
   */
  readonly accountId: string
  /**
   * Asks the service whether a token is still good, and uses the answer for so many seconds. A
   * question that failed is asked again for the next request.
   */
  readonly checkRevocation?: { readonly everySeconds: number } | undefined
  /**
   * Reads the document of revocations when a token comes, at most every 15 seconds (every second
   * until there is one), and refuses what it names. If the document cannot hold all, it also asks
   * about each token, as `checkRevocation` does.
   */
  readonly revocations?:
    | {
        /**
         * What to do with a token while there is no document, or while the document is older than
         * five minutes and does not name the token. `refuse`, the default, throws
         * another error than {@link TokenRefused}. `ask` asks the service.
         */
        readonly onStale?: 'refuse' | 'ask' | undefined
      }
    | undefined
}

/** The token is not valid, or the service says that it is not good any more. Answer 401. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
}

/**
 * How many seconds this computer's clock may be behind the service's. It does not lengthen a
 * token's life.
 */
const clockSkewSeconds = 30

/** The longest that the service may take to answer, in milliseconds. */
const longestAnswer = 10_000

/** How many answers about tokens a verifier remembers. Then it forgets all of them. */
const maxRemembered = 10_000

/**
 * Makes a verifier of embed tokens, for a backend that gets them from browsers.
 * @returns a function that gives the claims of a token. It throws {@link TokenRefused},
 * or another error while it can't get the key set or an answer of the service: then nobody knows,
 * and the request must not pass.
 * @example const verify = createVerifier({ issuer, audience, accountId, revocations: {} })
 */
export const createVerifier = (options: VerifierOptions) =>
  verifierIn({ ...realTime, now: Date.now }, options)

/** {@link createVerifier} in a time of its own, for tests. */
export function verifierIn(
  time: Time & { now(): number },
  options: VerifierOptions,
): (token: string) => Promise<EmbedTokenClaims> {
  const { audience, accountId, checkRevocation, revocations, fetch = globalThis.fetch } = options
  for (const [name, value] of Object.entries({ issuer: options.issuer, audience, accountId })) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`createVerifier needs ${name}.`)
  }
  requireWebAddress('issuer', options.issuer)
  const withoutSlash = (address: string) => address.replace(/\/$/, '')
  const issuer = withoutSlash(options.issuer)
  const get = readerIn(time, fetch)
  const keySet = keysOf(time, async () => {
    const address = `${issuer}/.well-known/jwks.json`
    const response = await get(address)
    return response.json().catch((cause: unknown) => {
      throw new Error(`${address} answered no JSON: ${cause}`, { cause })
    }) as Promise<JSONWebKeySet>
  })
  const verified = <Claims>(jwt: string, expected: JWTVerifyOptions) =>
    jwtVerify<Claims>(jwt, keySet, {
      // With a slash at its end it is the same address.
      issuer: [issuer, `${issuer}/`],
      algorithms: ['ES256'],
      currentDate: new Date(time.now()),
      ...expected,
    })
  async function readRevocations(etag?: string | null): Promise<ReadDocument | undefined> {
    const address = `${issuer}/.well-known/embed-revocations`
    const response = await get(address, etag ? { 'if-none-match': etag } : {})
    if (response.status === 304) return undefined
    const { payload } = await verified<RevocationsDocument>(await response.text(), {
      typ: 'embed-revocations+jwt',
      requiredClaims: ['iat', 'exp', 'revoked'],
    })
    return { document: payload, etag: response.headers.get('etag') }
  }
  const seconds = checkRevocation?.everySeconds ?? 15
  const isStillGood = stillGoodCheck(time, { baseUrl: issuer, fetch }, seconds)
  const isRevoked = revocations && revocationsOf(time, readRevocations)
  /** Whether the service must be asked about a token that the document does not refuse. */
  async function mustAsk(claims: EmbedTokenClaims): Promise<boolean> {
    const known = await isRevoked?.(claims)
    if (known === true) throw new TokenRefused('The token was revoked.')
    if (known instanceof Error && revocations?.onStale !== 'ask') throw known
    return checkRevocation !== undefined || (isRevoked !== undefined && known !== false)
  }

  return async (token) => {
    const { payload } = await verified<EmbedTokenClaims>(token, {
      audience: [audience, withoutSlash(audience)],
      typ: 'embed+jwt',
      requiredClaims: ['exp', 'sub'],
      clockTolerance: clockSkewSeconds,
    }).catch((error: unknown) => {
      // A wrong key set says nothing about the token.
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSInvalid) throw error
      throw new TokenRefused(`The token is not valid: ${error.message}`, { cause: error })
    })
    if (Number(payload.exp) * 1000 <= time.now()) throw new TokenRefused('The token has expired.')
    if (payload.accountId !== accountId) throw new TokenRefused('The token is of another account.')
    if ((await mustAsk(payload)) && !(await isStillGood(token)))
      throw new TokenRefused('The token was revoked.')
    return payload
  }
}

/** Reads what the service publishes. 304 is an answer too. */
const readerIn =
  ({ timeout }: Time, fetch: NonNullable<Service['fetch']>) =>
  async (address: string, headers = {}): Promise<Response> => {
    const request = new Request(address, { headers, signal: timeout(longestAnswer) })
    const response = await fetch(request).catch((cause: unknown) => {
      throw new Error(`${address} got no answer: ${cause}`, { cause })
    })
    if (response.ok || response.status === 304) return response
    throw new Error(`${address} answered ${response.status}.`)
  }

/**
 * Asks about each token, and uses the answer for a while. Callers that come meanwhile share the
 * question.
 */
function stillGoodCheck(
  time: Time,
  service: Service,
  everySeconds: number,
): (token: string) => Promise<boolean> {
  const call = callerOf({ ...service, fetch: withRetries(time, service.fetch) })
  const asked = new Map<string, { readonly age: () => number; readonly answer: Promise<boolean> }>()
  return (token) => {
    const last = asked.get(token)
    if (last && last.age() < everySeconds) return last.answer
    if (asked.size >= maxRemembered) asked.clear()
    const age = time.startStopwatch()
    const request = {
      headers: { authorization: `Bearer ${token}` },
      signal: time.timeout(longestAnswer),
    }
    const answer = call<components['schemas']['CurrentEmbedSession']>('GET', session, request)
      .then((current) => {
        if (current?.claims) return true
        throw new Error(`GET ${service.baseUrl}${session} gave no claims.`)
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return false
        asked.delete(token)
        throw error
      })
    asked.set(token, { age, answer })
    return answer
  }
}
