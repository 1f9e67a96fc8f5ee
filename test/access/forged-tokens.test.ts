import { CompactEncrypt, SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handler } from '../../functions/authorizer.ts'
import { handler as getEmbedSession } from '../../functions/get-embed-session.ts'
import { operations, routeKeyOf } from '../../functions/operations/operations.ts'
import { acmeAccount, startOfTime, world } from '../support/service.ts'
import {
  attackers,
  encoded,
  es256,
  type Fields,
  hs256,
  jwkOf,
  others,
  ours,
  oursToo,
  published,
  signed,
  unsigned,
  withKey,
} from './forging.ts'
import { served } from './issuer.ts'

/*
 * The hardest case for a mix-up: one key set, issuer and audience for embed tokens and for the
 * access tokens of an account, and claims that satisfy both. Nothing but the type in the header
 * tells one from the other.
 */

const audience = 'https://embed.test/api'
const types = ['embed+jwt', 'at+jwt'] as const
type Type = (typeof types)[number]

const service = world()
const issuer = served(({ url }) =>
  url === '/jwks' ? published : { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` },
)
const attackersSite = served(() => ({ keys: [jwkOf(attackers)] }))
const logged: Readonly<Record<string, unknown>>[] = []
let authorizer: ReturnType<typeof handler.create>
let session: ReturnType<typeof getEmbedSession.create>

beforeAll(createVerifiers)
beforeEach(() => {
  logged.length = 0
})
// Whatever a token says of where keys are.
afterEach(() => expect(attackersSite.asked).toEqual([]))

const refused = { allowed: false, code: 'unauthenticated', decisionId: 'r' }
const now = startOfTime / 1000

describe.each(types)('a token of type %s', (typ: Type) => {
  const header = (more: Fields = {}): Fields => ({ alg: 'ES256', typ, kid: ours.kid, ...more })
  const token = (claims: Fields = {}, more: Fields = {}) => ofType(typ, claims, more)
  const signedBy = (by: (input: string) => Buffer, more: Fields = {}) => ofType(typ, {}, more, by)

  type Forged = Readonly<Record<string, string>>
  const refusing = (name: string, forge: () => Forged | Promise<Forged>) =>
    test(name, async () => {
      for (const [what, token] of Object.entries(await forge())) {
        expect([what, await decided(token), await asked(token)]).toEqual([what, refused, 401])
      }
    })

  test('is accepted where it is genuine, so that what follows shows something', async () => {
    const deploymentIds = typ === 'embed+jwt' ? [1] : 'all'
    const expiresAt = now + 600 + (typ === 'at+jwt' ? 30 : 0)
    const principal = { accountId: 'acme', userId: 1, admin: true, deploymentIds, expiresAt }
    const accepted = { allowed: true, principal }
    expect(await asked(token())).toBe(typ === 'embed+jwt' ? 200 : 401)
    for (const each of [
      token(),
      token({}, { typ: `application/${typ.toUpperCase()}` }),
      signedBy(es256(oursToo), { kid: oursToo.kid }),
      token({ aud: ['https://elsewhere.test', audience] }),
    ])
      expect(await decided(each)).toMatchObject(accepted)
  })

  refusing('is refused without a signature', () => {
    const none = (alg: unknown) => signedBy(unsigned, { alg })
    return {
      ...each(['none', 'None', 'nOnE', '', undefined, ['none'], 'ES256'], none),
      'somebody’s signature': `${none('none')}${token().split('.')[2]}`,
      'no third part': none('none').slice(0, -1),
    }
  })

  refusing('is refused when it is signed with our public key as an HMAC secret', () => {
    const { publicKey } = ours
    const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string
    const secrets = [
      ...[pem, pem.trimEnd(), publicKey.export({ format: 'der', type: 'spki' })],
      ...[jwkOf(ours), publicKey.export({ format: 'jwk' }), published].map((jwk) =>
        JSON.stringify(jwk),
      ),
      ...[Buffer.from(jwkOf(ours).x as string, 'base64url'), ''],
    ]
    return Object.fromEntries(
      secrets.flatMap((secret) =>
        ['HS256', 'ES256'].map((alg) => [`${alg} by ${secret}`, signedBy(hs256(secret), { alg })]),
      ),
    )
  })

  refusing('is refused under an algorithm that its key is not for', () => {
    const algorithms = 'RS256 PS256 RS1 ES384 ES512 ES256K EdDSA Ed25519 dir A128KW x'.split(' ')
    return {
      ...each(algorithms, (alg) => token({}, { alg })),
      ...each(algorithms, (alg) => signedBy(withKey('rsa', 'sha256'), { alg }), 'signed with RSA'),
    }
  })

  test('is refused under an algorithm that is not allowed', async () => {
    const by = (kid: keyof typeof others, alg: string, digest: string | null) =>
      decided(signedBy(withKey(kid, digest), { alg, kid }))
    expect(await by('mlDsa', 'ML-DSA-44', null)).toEqual(refused)
    expect(await by('weakRsa', 'RS256', 'sha256')).toEqual(refused)
    // Ours is ES256 alone; issuers sign with RSA more than with anything else.
    expect(await by('rsa', 'RS256', 'sha256')).toMatchObject({ allowed: typ === 'at+jwt' })
  })

  refusing('is refused unless the key that signed it is the one it names', () => ({
    ...each(
      [oursToo.kid, 'unknown', undefined, '', 1, null, [ours.kid]],
      (kid) => token({}, { kid }),
      'our key as',
    ),
    ...each(
      [ours.kid, attackers.kid, '../../../../dev/null', "' OR '1'='1", '__proto__'],
      (kid) => signedBy(es256(attackers), { kid }),
      'another’s key as',
    ),
    // The only one of its kind, which jose would take without being told.
    'no kid, and but one key that fits': signedBy(withKey('ed25519', null), {
      alg: 'EdDSA',
      kid: undefined,
    }),
  }))

  refusing('is refused when it was edited after it was signed', () => {
    const [head, claims, signature] = token({ userId: 2, login: 'rob@acme.example' }).split('.')
    const flipped = Buffer.from(signature as string, 'base64url')
    flipped[10] = (flipped[10] as number) ^ 1
    return {
      ...each([{}, { exp: now + 86_400 }, { accountId: 'other' }], (edited) =>
        [head, encoded({ ...genuine(), ...(edited as Fields) }), signature].join('.'),
      ),
      'another header': [encoded(header({ kid: oursToo.kid })), claims, signature].join('.'),
      'one bit of the signature': [head, claims, flipped.toString('base64url')].join('.'),
    }
  })

  refusing('is refused with a signature that is no signature', () => ({
    empty: signedBy(unsigned),
    // Java took this for a valid signature of anything (CVE-2022-21449).
    zeros: signedBy(() => Buffer.alloc(64)),
    ones: signedBy(() => Buffer.alloc(64, 0xff)),
    short: signedBy(() => Buffer.alloc(63, 1)),
    long: signedBy(() => Buffer.alloc(4_096, 1)),
    'in DER': signedBy(es256(ours, 'der')),
  }))

  test('is refused by the second it ends and before it begins, but for clock skew', async () => {
    const skew = typ === 'at+jwt' ? 30 : 0
    const times: [claims: Fields, allowed: boolean][] = [
      ...[1 - skew, -skew, -skew - 1, -86_400].map((left): [Fields, boolean] => [
        { exp: now + left },
        left > -skew,
      ]),
      ...[30, 31, 86_400].map((wait): [Fields, boolean] => [{ nbf: now + wait }, wait === 30]),
    ]
    for (const [claims, allowed] of times) {
      expect([claims, await decided(token(claims))]).toMatchObject([claims, { allowed }])
    }
  })

  refusing('is refused without a claim it must have', () => {
    const required = {
      'embed+jwt': ['iss', 'aud', 'sub', 'iat', 'nbf', 'exp', 'jti', 'accountId', 'deploymentId'],
      'at+jwt': ['iss', 'aud', 'sub', 'exp', 'login'],
    }[typ]
    return {
      ...each(required, (name) => token({ [name as string]: undefined }), 'no'),
      ...each(required, (name) => token({ [name as string]: null }), 'null as'),
    }
  })

  refusing('is refused where a claim is of a kind that it must not be', () => {
    const times = ['tomorrow', '99999999999', [9e9], {}, true]
    const names = [1, true, {}, [], [[issuer.url]], '']
    return {
      ...each(times, (exp) => token({ exp }), 'exp'),
      ...each(times, (nbf) => token({ nbf }), 'nbf'),
      ...each([...names, [issuer.url]], (iss) => token({ iss }), 'iss'),
      ...each([...names, `${audience} x`], (aud) => token({ aud }), 'aud'),
    }
  })

  refusing('of another stage, issuer or audience is refused, however long their names are', () => {
    const long = `https://${'x'.repeat(6_000)}.test`
    const issuers = ['https://embed-dev.test', `${issuer.url}/`, issuer.url.toUpperCase(), long]
    const theirs = { iss: attackersSite.url }
    return {
      ...each(issuers, (iss) => token({ iss })),
      ...each(['https://embed-dev.test/api', long, many(50)], (aud) => token({ aud })),
      'of the attackers’': ofType(typ, theirs, { kid: attackers.kid }, es256(attackers)),
    }
  })

  refusing('is refused under another type, each other’s above all', () => {
    const other = types.find((each) => each !== typ) as Type
    // Each has the claims that its own kind must have, and not those of the other kind.
    const own = { ...genuine(), [typ === 'embed+jwt' ? 'login' : 'accountId']: undefined }
    const others = ['', 'logout+jwt', 'secevent+jwt', 'dpop+jwt', 'JWE']
    const odd = [...others, `${typ} `, `x-${typ}`, `${typ};a=b`]
    return {
      ...each([other, `Application/${other.toUpperCase()}`], (typ) => signed(header({ typ }), own)),
      ...each([...odd, `${typ[0]}application/${typ.slice(1)}`], (typ) => token({}, { typ })),
      ...each([null, 1, [typ], { typ }], (typ) => token({}, { typ })),
    }
  })

  refusing('is refused when it asks for an extension that must be understood', () => ({
    'an unknown one': token({}, { crit: ['urn:example:x'], 'urn:example:x': true }),
    'an unencoded payload': token({}, { crit: ['b64'], b64: false }),
    ...each([['urn:example:x'], ['alg'], [], 'exp', [1, null, {}]], (crit) => token({}, { crit })),
  }))

  refusing('is refused when it brings its own key or says where one is', () => {
    const der = attackers.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const { url } = attackersSite
    const [jwk, jku, x5c, x5u] = [jwkOf(attackers), `${url}/jwks`, [der], `${url}/certificate`]
    const places = [{ jwk }, { jku }, { x5c }, { x5u }, { jwk, jku, x5u, x5c }]
    const forged = (kid: string) => (more: unknown) =>
      signedBy(es256(attackers), { kid, ...(more as Fields) })
    return {
      ...each(places, forged(ours.kid), 'our kid,'),
      ...each(places, forged(attackers.kid), 'their own kid,'),
    }
  })

  refusing('is refused in any other form than three parts', async () => {
    const genuineToken = token()
    const [protectedHeader = '', payload, signature] = genuineToken.split('.')
    const jwe = (content: string, more: Fields) =>
      new CompactEncrypt(Buffer.from(content))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: ours.kid, typ, ...more })
        .encrypt(ours.publicKey)
    const signatures = [encoded('false'), signature].map((signature) => ({
      protected: protectedHeader,
      signature,
    }))
    return {
      'a signature twice': `${genuineToken}.${signature}`,
      'five parts': `${genuineToken}.${signature}.${signature}`,
      'two parts': `${protectedHeader}.${payload}`,
      'an empty payload': `${protectedHeader}..${signature}`,
      'an empty header': `.${payload}.${signature}`,
      dots: '..',
      'more dots': '....',
      'another token behind it': `${genuineToken},${genuineToken}`,
      'encrypted claims': await jwe(JSON.stringify(genuine()), {}),
      'an encrypted token': await jwe(genuineToken, { cty: 'JWT' }),
      'flattened JSON': JSON.stringify({ protected: protectedHeader, payload, signature }),
      'general JSON, a false signature first': JSON.stringify({ payload, signatures }),
    }
  })

  refusing('is refused where a part holds something else than an object of JSON', () => {
    const deep = `${'['.repeat(2_000)}${']'.repeat(2_000)}`
    const odd = ['', '{', 'null', '[]', '"text"', '1', deep, '\0', '\ud800']
    const bytes = Buffer.from([0xff, 0xfe, 0xfd]).toString('base64url')
    return {
      ...each(odd, (claims) => signed(header(), claims), 'claims'),
      ...each(odd, (header) => signed(header, genuine()), 'header'),
      'no UTF-8': `${encoded(header())}.${bytes}.${encoded('x')}`,
      'no base64': '%.%.%',
    }
  })
})

async function createVerifiers(): Promise<void> {
  const parts = {
    storage: service.storage,
    issuer: service.issuer,
    issuance: { issuer: issuer.url, audience, lifetimeSeconds: 86_400, maxTokenBytes: 7_168 },
    verificationKeys: async () => published,
    log: (entry: Readonly<Record<string, unknown>>) => logged.push(entry),
    now: () => startOfTime,
  }
  authorizer = handler.create(parts)
  session = getEmbedSession.create(parts)
  const oidc = { issuer: issuer.url, audience, userClaim: 'login' }
  await service.apply([acmeAccount({ oidc })])
}

/** What the authorizer hands to a function: a principal, or why there is none. */
async function decided(token: string, scheme = 'Bearer') {
  return (await authorizer(eventWith(`${scheme} ${token}`), {} as never)).context
}

/** The status of the one operation that verifies tokens itself. */
async function asked(token: string) {
  return (await session(eventWith(`Bearer ${token}`), {} as never)).statusCode
}

function eventWith(authorization: string) {
  const routeKey = routeKeyOf(operations['list-dbt-syncs'])
  return {
    routeKey,
    headers: { authorization },
    requestContext: { requestId: 'r', http: {} },
  } as never
}

function genuine(): Fields {
  return {
    iss: issuer.url,
    aud: audience,
    sub: 'acme#user#1',
    iat: now,
    nbf: now,
    exp: now + 600,
    jti: 'a-jti',
    client_id: 'a-client',
    accountId: 'acme',
    deploymentId: 1,
    userId: 1,
    login: 'ada',
  }
}

/** Makes a token for each of some values, which name them. */
function each(
  values: readonly unknown[],
  tokenOf: (value: unknown) => string,
  name = '',
): Record<string, string> {
  return Object.fromEntries(
    values.map((value) => [`${name} ${JSON.stringify(value)}`, tokenOf(value)]),
  )
}

const many = (audiences: number): string[] =>
  Array.from({ length: audiences }, (_, n) => `https://${n}.test`)

const ofType = (
  typ: string | undefined,
  claims: Fields = {},
  more: Fields = {},
  by?: (input: string) => Buffer,
) => signed({ alg: 'ES256', typ, kid: ours.kid, ...more }, { ...genuine(), ...claims }, by)

test.each<
  [typ: Type, reason: string, claims: Fields, header?: Fields, by?: (input: string) => Buffer]
>([
  ['embed+jwt', 'no key id', {}, { kid: undefined }],
  ['embed+jwt', 'ERR_JWKS_NO_MATCHING_KEY', {}, { kid: 'unknown' }],
  ['embed+jwt', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', {}, {}, es256(attackers)],
  ['embed+jwt', 'ERR_JWT_CLAIM_VALIDATION_FAILED', { iss: 'https://elsewhere.test' }],
  ['embed+jwt', 'ERR_JWT_EXPIRED', { exp: now }],
  ['embed+jwt', 'claims of another kind', { deploymentId: 'one' }],
  ['embed+jwt', 'token of no account', { accountId: 'nobody' }],
  ['embed+jwt', 'token of no user', { userId: 99 }],
  ['at+jwt', 'no issuer or audience', { aud: [audience, 1] }],
  ['at+jwt', 'no issuer or audience', { aud: undefined }],
  ['at+jwt', 'issuer and audience of no account, or of several', { aud: 'https://elsewhere.test' }],
  ['at+jwt', 'another type of token', {}, { typ: 'logout+jwt' }],
  ['at+jwt', 'no key id', {}, { kid: undefined }],
  ['at+jwt', 'ERR_JWKS_NO_MATCHING_KEY', {}, { kid: 'unknown' }],
  ['at+jwt', 'unusable key', {}, { alg: 'RS256', kid: 'weakRsa' }, withKey('weakRsa', 'sha256')],
  ['at+jwt', 'ERR_JWT_EXPIRED', { exp: now - 30 }],
  ['at+jwt', 'no subject', { sub: '' }],
  ['at+jwt', 'not a bearer token', { cnf: { jkt: 'thumbprint' } }],
  ['at+jwt', 'no claim that names the user', { login: '' }],
  ['at+jwt', 'unconfirmed address', { login: 'ada@acme.example', email_verified: 'no' }],
  ['at+jwt', 'access token of no user, or of several', { login: 'nobody' }],
])(
  'A token of type %s leaves nothing in the log but the reason: %s',
  async (typ, reason, claims, header, by) => {
    const token = ofType(typ, claims, header, by)
    expect(await decided(token)).toEqual(refused)
    const [event, invocation, ...more] = logged
    expect(event).toMatchObject({ event: 'authorization.refused', reason })
    expect(invocation).toMatchObject({ invocation: 'authorizer' })
    expect(more).toEqual([])
    for (const part of token.split('.')) expect(JSON.stringify(logged)).not.toContain(part)
  },
)

test('An access token without a type, or of type JWT, is accepted', async () => {
  for (const typ of ['JWT', 'jwt', undefined])
    expect(await decided(ofType(typ))).toMatchObject({ allowed: true })
})

test.each<[name: string, jti: unknown, shown: object]>([
  ['100 characters of it', 'x'.repeat(150), { jti: 'x'.repeat(100) }],
  ['whole letters of it', `${'x'.repeat(99)}💚y`, { jti: `${'x'.repeat(99)}💚` }],
  ['well-formed letters of it', 'half \uD83D of a pair', { jti: 'half \uFFFD of a pair' }],
  ['not by a number', 7, {}],
  ['not by what is not there', undefined, {}],
])('An access token is named by its jti: %s', async (_, jti, shown) => {
  expect(await decided(ofType('at+jwt', { jti }))).toMatchObject({
    allowed: true,
    principal: { credential: { kind: 'accessToken', ...shown } },
  })
})

test('An access token for a great many audiences is refused, even if we are one', async () => {
  const aud = [...many(50), audience]
  expect(await decided(ofType('at+jwt', { aud }))).toEqual(refused)
  expect(await decided(ofType('at+jwt', { aud: aud.slice(-10) }))).toMatchObject({ allowed: true })
})

test.each<[alg: string, kid: keyof typeof others]>([
  ...'RS256 RS384 RS512 PS256 PS384 PS512'.split(' ').map((alg): [string, 'rsa'] => [alg, 'rsa']),
  ['ES384', 'p384'],
  ['ES512', 'p521'],
  ['EdDSA', 'ed25519'],
  ['Ed25519', 'ed25519'],
])('An access token may be signed by %s', async (alg, kid) => {
  const token = new SignJWT(genuine()).setProtectedHeader({ alg, kid, typ: 'at+jwt' })
  expect(await decided(await token.sign(others[kid].privateKey))).toMatchObject({ allowed: true })
})

test('Embed-Token accepts embed tokens alone, and Api-Key accepts no token', async () => {
  expect(await decided(ofType('embed+jwt'), 'Embed-Token')).toMatchObject({ allowed: true })
  for (const typ of ['at+jwt', 'JWT', undefined])
    expect(await decided(ofType(typ), 'Embed-Token')).toEqual(refused)
  for (const typ of types) expect(await decided(ofType(typ), 'Api-Key')).toEqual(refused)
})
