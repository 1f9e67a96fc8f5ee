import { type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { embedTokenVerifier, Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { CompactEncrypt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler as authorizerHandler } from '../../functions/authorizer.ts'
import { operation } from '../../functions/http/operation.ts'
import { operations, routeKeyOf } from '../../functions/operations/operations.ts'
import { storage } from '../../functions/runtime/storage.ts'
import { createGateway, gatewayServer } from '../../local/gateway/gateway.ts'
import { world } from '../support/service.ts'
import {
  attackers,
  audience,
  ed25519,
  encoded,
  es256,
  type Fields,
  hs256,
  jwkOf,
  type KeyPair,
  mlDsa,
  ours,
  oursToo,
  published,
  rsa,
  signed,
  type Type,
  types,
  unsigned,
  weakRsa,
} from './forging.ts'

const service = world()
const servers: Server[] = []
const logged: string[] = []
const askedOfAttacker: string[] = []
let issuer: string
let attackersUrl: string
let gatewayUrl: string
let authorizer: ReturnType<typeof authorizerHandler.create>

async function serve(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  issuer = await serve(
    createServer((request, response) =>
      response.end(JSON.stringify(request.url === '/jwks' ? published : { issuer, jwks_uri: `${issuer}/jwks` })),
    ),
  )
  attackersUrl = await serve(
    createServer((request, response) => {
      askedOfAttacker.push(request.url ?? '')
      response.end(JSON.stringify({ keys: [jwkOf(attackers)] }))
    }),
  )
  authorizer = authorizerHandler.create({
    issuer: service.issuer,
    log: (entry) => logged.push(JSON.stringify(entry)),
    now: () => service.now,
    storage: service.storage,
    issuance: { issuer, audience, lifetimeSeconds: 86_400, maxTokenBytes: 7_168 },
    verificationKeys: async () => published,
  })
  const tellingPrincipal = await operation('list-dbt-syncs', {
    uses: { storage },
    isRevoked,
    answer: ({ principal }) => ({ json: JSON.stringify(principal) }),
  })
  gatewayUrl = await serve(
    gatewayServer(
      createGateway({
        routes: [
          {
            routeKey,
            authorized: true,
            handler: tellingPrincipal.create({ ...service, log: () => {}, now: () => service.now }),
          },
        ],
        authorizer,
      }),
    ),
  )
  const oidc = { issuer, audience, userClaim: 'login' }
  await service.apply([{ kind: 'account', data: { id: 'acme', name: 'Acme', embeddingEnabled: true, oidc } }])
})

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const routeKey = routeKeyOf(operations['list-dbt-syncs'])

async function outcome(token: string, scheme = 'Bearer'): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${gatewayUrl}/api/v1/deployments/1/dbt-sync`, {
    headers: { authorization: `${scheme} ${token}` },
  })
  return [response.status, await response.json()]
}

async function expectRefused(tokens: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, token] of Object.entries(tokens)) {
    expect([name, ...(await outcome(token))]).toMatchObject([name, 401, { code: 'unauthenticated' }])
  }
}

const seconds = () => Math.floor(service.now / 1000)

/** What a genuine token of either kind says. */
const genuineClaims = (): Fields => ({
  iss: issuer,
  aud: audience,
  sub: 'acme#user#1',
  iat: seconds(),
  nbf: seconds(),
  exp: seconds() + 600,
  jti: randomUUID(),
  client_id: 'a-client',
  accountId: 'acme',
  deploymentId: 1,
  userId: 1,
  login: 'ada',
})

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([each]) => each !== name))

describe.each(types)('a token of type %s', (typ: Type) => {
  const header = (more: Fields = {}): Fields => ({ alg: 'ES256', typ, kid: ours.kid, ...more })
  const token = (claims: Fields = {}, more: Fields = {}) => signed(header(more), { ...genuineClaims(), ...claims })

  test('is accepted where it is genuine, so that what follows shows something', async () => {
    const deploymentIds = typ === 'embed+jwt' ? [1] : 'all'
    const principal = { accountId: 'acme', userId: 1, admin: true, deploymentIds }
    const accepted = [200, principal]
    expect(await outcome(token())).toMatchObject(accepted)
    expect(await outcome(token({}, { typ: `application/${typ.toUpperCase()}` }))).toMatchObject(accepted)
    expect(await outcome(signed(header({ kid: oursToo.kid }), genuineClaims(), es256(oursToo)))).toMatchObject(accepted)
    expect(await outcome(token({ aud: ['https://elsewhere.test', audience] }))).toMatchObject(accepted)
  })

  test('is refused without a signature', async () => {
    const [, , signature] = token().split('.')
    const none = (alg: unknown) => signed(header({ alg }), genuineClaims(), unsigned)
    await expectRefused({
      none: none('none'),
      None: none('None'),
      nOnE: none('nOnE'),
      'an empty name': none(''),
      'no name': signed(without(header(), 'alg'), genuineClaims(), unsigned),
      'a list': none(['ES256']),
      'the true algorithm': none('ES256'),
      'somebody’s signature': `${none('none')}${signature}`,
      'no third part': none('none').slice(0, -1),
    })
  })

  test('is refused when it is signed with our public key as an HMAC secret', async () => {
    const { publicKey } = ours
    const pem = publicKey.export({ format: 'pem', type: 'spki' }) as string
    const jwk = jwkOf(ours)
    const secrets: Record<string, string | Buffer> = {
      PEM: pem,
      'PEM without its last line break': pem.trimEnd(),
      DER: publicKey.export({ format: 'der', type: 'spki' }),
      'JWK as published': JSON.stringify(jwk),
      'bare JWK': JSON.stringify(publicKey.export({ format: 'jwk' })),
      'JWK set': JSON.stringify(published),
      'x coordinate': Buffer.from(jwk.x as string, 'base64url'),
      nothing: '',
    }
    for (const [name, secret] of Object.entries(secrets)) {
      await expectRefused({ [name]: signed(header({ alg: 'HS256' }), genuineClaims(), hs256(secret)) })
      await expectRefused({ [`${name}, as ES256`]: signed(header(), genuineClaims(), hs256(secret)) })
    }
  })

  test('is refused under an algorithm that its key is not for', async () => {
    const rs256 = (input: string) => sign('sha256', Buffer.from(input), rsa.privateKey)
    for (const alg of ['RS256', 'PS256', 'RS1', 'ES384', 'ES512', 'ES256K', 'EdDSA', 'Ed25519', 'dir', 'A128KW', 'x']) {
      await expectRefused({
        [alg]: signed(header({ alg }), genuineClaims()),
        [`${alg}, signed with RSA`]: signed(header({ alg }), genuineClaims(), rs256),
      })
    }
  })

  test('is refused under an algorithm that is not allowed, though there is a key for it', async () => {
    const by = (alg: string, kid: string, key: KeyObject, digest: string | null) =>
      signed(header({ alg, kid }), genuineClaims(), (input) => sign(digest, Buffer.from(input), key))
    await expectRefused({
      'ML-DSA': by('ML-DSA-44', 'ml-dsa', mlDsa.privateKey, null),
      'RSA with a short key': by('RS256', 'weak rsa', weakRsa.privateKey, 'sha256'),
    })
    // Ours is ES256 alone; issuers sign with RSA more than with anything else.
    const [status] = await outcome(by('RS256', 'rsa', rsa.privateKey, 'sha256'))
    expect(status).toBe(typ === 'at+jwt' ? 200 : 401)
  })

  test('is refused unless the key that signed it is the one it names', async () => {
    const named = (kid: unknown, by: KeyPair) => signed(header({ kid }), genuineClaims(), es256(by))
    await expectRefused({
      'our kid, another’s key': named(ours.kid, attackers),
      'the kid of our other key': named(oursToo.kid, ours),
      'an unknown kid': named(attackers.kid, attackers),
      'an unknown kid, our key': named('unknown', ours),
      'no kid': signed(without(header(), 'kid'), genuineClaims()),
      // The only one of its kind, which jose would take without being told.
      'no kid, and but one key that fits': signed(without(header({ alg: 'EdDSA' }), 'kid'), genuineClaims(), (input) =>
        sign(null, Buffer.from(input), ed25519.privateKey),
      ),
      'an empty kid': named('', ours),
      'a number': named(1, ours),
      null: named(null, ours),
      'a list': named([ours.kid], ours),
      'a path': named('../../../../dev/null', attackers),
      'a query': named("' OR '1'='1", attackers),
      __proto__: named('__proto__', attackers),
    })
  })

  test('is refused when it was edited after it was signed', async () => {
    const [head, claims, signature] = token({ userId: 2, login: 'rob@acme.example' }).split('.')
    const flipped = Buffer.from(signature as string, 'base64url')
    flipped[10] = (flipped[10] as number) ^ 1
    const edit = (edited: Fields) => [head, encoded({ ...genuineClaims(), ...edited }), signature].join('.')
    await expectRefused({
      'another user': edit({}),
      'a later end': edit({ exp: seconds() + 86_400 }),
      'another account': edit({ accountId: 'other' }),
      'another header': [encoded(header({ kid: oursToo.kid })), claims, signature].join('.'),
      'one bit of the signature': [head, claims, flipped.toString('base64url')].join('.'),
    })
  })

  test('is refused with a signature that is no signature', async () => {
    const by = (bytes: Buffer) => signed(header(), genuineClaims(), () => bytes)
    await expectRefused({
      empty: by(unsigned()),
      // Java took this for a valid signature of anything (CVE-2022-21449).
      zeros: by(Buffer.alloc(64)),
      ones: by(Buffer.alloc(64, 0xff)),
      short: by(Buffer.alloc(63, 1)),
      long: by(Buffer.alloc(4_096, 1)),
      'in DER': signed(header(), genuineClaims(), es256(ours, 'der')),
    })
  })

  test('is refused by the second it ends and before it begins, but for clock skew', async () => {
    const skew = typ === 'at+jwt' ? 30 : 0
    const ending = (inSeconds: number) => token({ exp: seconds() + inSeconds })
    const beginning = (inSeconds: number) => token({ nbf: seconds() + inSeconds })
    await expectRefused({
      'ended now': ending(-skew),
      'ended a second ago': ending(-skew - 1),
      'ended a day ago': ending(-86_400),
      'begins in a second': beginning(31),
      'begins in a day': beginning(86_400),
    })
    for (const fine of [ending(1 - skew), beginning(30)]) expect((await outcome(fine))[0]).toBe(200)
  })

  test('is refused without a claim it must have', async () => {
    const required = {
      'embed+jwt': ['iss', 'aud', 'sub', 'iat', 'nbf', 'exp', 'jti', 'accountId', 'deploymentId'],
      'at+jwt': ['iss', 'aud', 'sub', 'exp', 'login'],
    }
    for (const name of required[typ]) {
      await expectRefused({
        [`no ${name}`]: signed(header(), without(genuineClaims(), name)),
        [`${name} is null`]: token({ [name]: null }),
      })
    }
  })

  test('is refused where a claim is of a kind that it must not be', async () => {
    for (const odd of ['tomorrow', '99999999999', [9e9], {}, true]) {
      await expectRefused({ exp: token({ exp: odd }), nbf: token({ nbf: odd }) })
    }
    for (const odd of [1, true, {}, [], [[issuer]], '']) {
      await expectRefused({ iss: token({ iss: odd }), aud: token({ aud: odd }) })
    }
    await expectRefused({ 'iss in a list': token({ iss: [issuer] }), 'aud with more': token({ aud: `${audience} x` }) })
  })

  test('of another stage, issuer or audience is refused', async () => {
    await expectRefused({
      'our key under another issuer': token({ iss: 'https://embed-dev.test' }),
      'our issuer, the other stage’s key': signed(header(), genuineClaims(), es256(attackers)),
      'our issuer, the other stage’s key and kid': signed(
        header({ kid: attackers.kid }),
        genuineClaims(),
        es256(attackers),
      ),
      'an attacker’s issuer': signed(header({ kid: attackers.kid }), { ...genuineClaims(), iss: attackersUrl }),
      'almost our issuer': token({ iss: `${issuer}/` }),
      'our issuer in other letters': token({ iss: issuer.toUpperCase() }),
      'another audience': token({ aud: 'https://embed-dev.test/api' }),
      'many other audiences': token({ aud: Array.from({ length: 50 }, (_, n) => `https://${n}.test`) }),
    })
    expect(askedOfAttacker).toEqual([])
  })

  test('is refused under another type, each other’s above all', async () => {
    const other = types.find((each) => each !== typ) as Type
    // Each has the claims that its own kind must have, and not those of the other kind.
    const own = without(genuineClaims(), typ === 'embed+jwt' ? 'login' : 'accountId')
    await expectRefused({
      'the other type': signed(header({ typ: other }), own),
      'the other type, spelt otherwise': signed(header({ typ: `Application/${other.toUpperCase()}` }), own),
    })
    for (const odd of [
      '',
      'logout+jwt',
      'secevent+jwt',
      'dpop+jwt',
      'JWE',
      `${typ} `,
      `x-${typ}`,
      `${typ};a=b`,
      `${typ[0]}application/${typ.slice(1)}`,
    ]) {
      await expectRefused({ [odd]: token({}, { typ: odd }) })
    }
    for (const odd of [null, 1, [typ], { typ }]) await expectRefused({ [String(odd)]: token({}, { typ: odd }) })
  })

  test('is refused when it asks for an extension that must be understood', async () => {
    const asking = (more: Fields) => token({}, more)
    await expectRefused({
      'an unknown one': asking({ crit: ['urn:example:x'], 'urn:example:x': true }),
      'one that is not there': asking({ crit: ['urn:example:x'] }),
      'a registered name': asking({ crit: ['alg'] }),
      'an unencoded payload': asking({ crit: ['b64'], b64: false }),
      'none at all': asking({ crit: [] }),
      'no list': asking({ crit: 'exp' }),
      'no names': asking({ crit: [1, null, {}] }),
    })
  })

  test('is refused when it brings its own key or says where one is', async () => {
    const bringing = (more: Fields) => signed(header(more), genuineClaims(), es256(attackers))
    const der = attackers.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    for (const kid of [ours.kid, attackers.kid]) {
      await expectRefused({
        jwk: bringing({ kid, jwk: jwkOf(attackers) }),
        jku: bringing({ kid, jku: `${attackersUrl}/jwks` }),
        x5c: bringing({ kid, x5c: [der] }),
        x5u: bringing({ kid, x5u: `${attackersUrl}/certificate` }),
        'all of them': bringing({ kid, jwk: jwkOf(attackers), jku: attackersUrl, x5u: attackersUrl, x5c: [der] }),
      })
    }
    expect(askedOfAttacker).toEqual([])
  })

  test('is refused in any other form than three parts', async () => {
    const genuine = token()
    const [protectedHeader, payload, signature] = genuine.split('.') as [string, string, string]
    const jwe = (content: string, more: Fields) =>
      new CompactEncrypt(Buffer.from(content))
        .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128GCM', kid: ours.kid, typ, ...more })
        .encrypt(ours.publicKey)
    await expectRefused({
      'a signature twice': `${genuine}.${signature}`,
      'five parts': `${genuine}.${signature}.${signature}`,
      'two parts': `${protectedHeader}.${payload}`,
      'an empty payload': `${protectedHeader}..${signature}`,
      'an empty header': `.${payload}.${signature}`,
      dots: '..',
      'more dots': '....',
      'another token behind it': `${genuine},${genuine}`,
      'encrypted claims': await jwe(JSON.stringify(genuineClaims()), {}),
      'an encrypted token': await jwe(genuine, { cty: 'JWT' }),
      'flattened JSON': JSON.stringify({ protected: protectedHeader, payload, signature }),
      'general JSON, a false signature first': JSON.stringify({
        payload,
        signatures: [
          { protected: protectedHeader, signature: encoded('false') },
          { protected: protectedHeader, signature },
        ],
      }),
    })
  })

  test('is refused where a part holds something else than an object of JSON', async () => {
    for (const odd of [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '1',
      `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
      '\0',
      '\ud800',
    ]) {
      await expectRefused({
        [`claims ${odd.slice(0, 9)}`]: signed(header(), odd),
        [`header ${odd.slice(0, 9)}`]: signed(odd, genuineClaims()),
      })
    }
    const bytes = Buffer.from([0xff, 0xfe, 0xfd]).toString('base64url')
    await expectRefused({ 'no UTF-8': `${encoded(header())}.${bytes}.${encoded('x')}`, 'no base64': '%.%.%' })
  })

  test('is refused however large it is', async () => {
    const padded = (length: number, by: KeyPair) =>
      signed(header(), { ...genuineClaims(), padding: 'x'.repeat(length) }, es256(by))
    await expectRefused({
      'as large as fits': padded(6_500, attackers),
      'a large kid': signed(header({ kid: 'k'.repeat(6_500) }), genuineClaims()),
      'a large issuer': token({ iss: `https://${'x'.repeat(6_000)}.test` }),
      'a large audience': token({ aud: 'x'.repeat(6_000) }),
    })
    // The gateway lets no more through; the authorizer would stand it all the same.
    const event = { routeKey, headers: { authorization: '' }, requestContext: { requestId: 'r', http: {} } }
    for (const length of [100_000, 2_000_000]) {
      const headers = { authorization: `Bearer ${padded(length, attackers)}` }
      expect(await authorizer({ ...event, headers } as never, {} as never)).toMatchObject({
        context: { allowed: false, code: 'unauthenticated' },
      })
    }
  })

  test('leaves no trace of itself in the log when it is refused, only the reason', async () => {
    logged.length = 0
    const refused = token({ exp: seconds() - 60 })
    await expectRefused({ refused, ...{ 'as another kind': `${refused}x` } })
    const lines = logged.map((line) => JSON.parse(line))
    expect(lines.filter(({ event }) => event !== undefined)).toMatchObject(
      Array(2).fill({ event: 'authorization.refused', reason: expect.stringMatching(/\w/) }),
    )
    expect(lines.filter(({ invocation }) => invocation !== undefined)).toHaveLength(2)
    expect(lines).toHaveLength(4)
    for (const line of logged) {
      for (const part of refused.split('.')) expect(line).not.toContain(part)
    }
  })
})

/** Refused tokens of each type, by the reason that the log gives. */
const refusals: Record<Type, Record<string, () => string>> = {
  'embed+jwt': {
    'no key id': () => signed({ alg: 'ES256', typ: 'embed+jwt' }, genuineClaims()),
    ERR_JWKS_NO_MATCHING_KEY: () => signed({ alg: 'ES256', typ: 'embed+jwt', kid: 'unknown' }, genuineClaims()),
    ERR_JWS_SIGNATURE_VERIFICATION_FAILED: () => ofOurs('embed+jwt', {}, es256(attackers)),
    ERR_JWT_CLAIM_VALIDATION_FAILED: () => ofOurs('embed+jwt', { iss: 'https://elsewhere.test' }),
    ERR_JWT_EXPIRED: () => ofOurs('embed+jwt', { exp: seconds() }),
    'claims of another kind': () => ofOurs('embed+jwt', { deploymentId: 'one' }),
    'token of no account': () => ofOurs('embed+jwt', { accountId: 'nobody' }),
    'token of no user': () => ofOurs('embed+jwt', { userId: 99 }),
  },
  'at+jwt': {
    'no issuer or audience': () => ofOurs('at+jwt', { aud: [audience, 1] }),
    'issuer and audience of no account, or of several': () => ofOurs('at+jwt', { aud: 'https://elsewhere.test' }),
    ERR_JWT_INVALID: () => signed({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid }, '[]'),
    'another type of token': () => ofOurs('logout+jwt', {}),
    'no key id': () => signed({ alg: 'ES256', typ: 'at+jwt' }, genuineClaims()),
    ERR_JWKS_NO_MATCHING_KEY: () => signed({ alg: 'ES256', typ: 'at+jwt', kid: 'unknown' }, genuineClaims()),
    'unusable key': () =>
      signed({ alg: 'RS256', typ: 'at+jwt', kid: 'weak rsa' }, genuineClaims(), (input) =>
        sign('sha256', Buffer.from(input), weakRsa.privateKey),
      ),
    ERR_JWT_EXPIRED: () => ofOurs('at+jwt', { exp: seconds() - 30 }),
    'no subject': () => ofOurs('at+jwt', { sub: '' }),
    'not a bearer token': () => ofOurs('at+jwt', { cnf: { jkt: 'thumbprint' } }),
    'no claim that names the user': () => ofOurs('at+jwt', { login: '' }),
    'unconfirmed address': () => ofOurs('at+jwt', { login: 'ada@acme.example', email_verified: 'no' }),
    'access token of no user, or of several': () => ofOurs('at+jwt', { login: 'nobody' }),
  },
}

const ofOurs = (typ: string, claims: Fields, by?: (input: string) => Buffer) =>
  signed({ alg: 'ES256', typ, kid: ours.kid }, { ...genuineClaims(), ...claims }, by)

test.each(
  types.flatMap((typ) => Object.entries(refusals[typ]).map(([reason, token]) => [typ, reason, token] as const)),
)('A token of type %s is refused and the log says: %s', async (_, reason, token) => {
  logged.length = 0
  await expectRefused({ [reason]: token() })
  const lines = logged.map((line) => JSON.parse(line))
  expect(lines.filter(({ event }) => event !== undefined)).toMatchObject([{ event: 'authorization.refused', reason }])
})

test('An access token without a type, or of type JWT, is accepted', async () => {
  for (const header of [{ typ: 'JWT' }, { typ: 'jwt' }, {}]) {
    expect((await outcome(signed({ alg: 'ES256', kid: ours.kid, ...header }, genuineClaims())))[0]).toBe(200)
  }
})

test('An access token is named by its jti, as far as 100 characters, where it has one', async () => {
  const credentialOf = async (claims: Fields) => {
    const [status, body] = await outcome(signed({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid }, claims))
    expect(status).toBe(200)
    return (body as { credential: unknown }).credential
  }
  expect(await credentialOf({ ...genuineClaims(), jti: 'x'.repeat(150) })).toEqual({
    kind: 'accessToken',
    jti: 'x'.repeat(100),
  })
  expect(await credentialOf({ ...genuineClaims(), jti: 'short' })).toEqual({ kind: 'accessToken', jti: 'short' })
  expect(await credentialOf(without(genuineClaims(), 'jti'))).toEqual({ kind: 'accessToken' })
  expect(await credentialOf({ ...genuineClaims(), jti: 7 })).toEqual({ kind: 'accessToken' })
})

test('An access token is named by whole letters of its jti, and by well-formed ones', async () => {
  const named = async (jti: string) => {
    const [status, body] = await outcome(ofOurs('at+jwt', { jti }))
    return [status, (body as { credential?: { jti: string } }).credential?.jti]
  }
  expect(await named(`${'x'.repeat(99)}💚y`)).toEqual([200, `${'x'.repeat(99)}💚`])
  expect(await named('💚'.repeat(101))).toEqual([200, '💚'.repeat(100)])
  expect(await named('half \uD83D of a pair')).toEqual([200, 'half \uFFFD of a pair'])
})

test('An access token for a great many audiences is refused, be we among them or not', async () => {
  const aud = [...Array.from({ length: 50 }, (_, n) => `https://${n}.test`), audience]
  const header = { alg: 'ES256', typ: 'at+jwt', kid: ours.kid }
  expect((await outcome(signed(header, { ...genuineClaims(), aud })))[0]).toBe(401)
  expect((await outcome(signed(header, { ...genuineClaims(), aud: aud.slice(-10) })))[0]).toBe(200)
})

test('An embed token must name its key even where there is but one', async () => {
  const verify = embedTokenVerifier(async () => ({ keys: [jwkOf(ours)] }), { issuer, audience, now: () => service.now })
  const header = { alg: 'ES256', typ: 'embed+jwt' }
  expect(await verify(signed({ ...header, kid: ours.kid }, genuineClaims()))).toMatchObject({ userId: 1 })
  await expect(verify(signed(header, genuineClaims()))).rejects.toBeInstanceOf(Unauthenticated)
})

test('Under Embed-Token nothing but an embed token is accepted', async () => {
  for (const [typ, status] of [
    ['embed+jwt', 200],
    ['at+jwt', 401],
    ['JWT', 401],
    [undefined, 401],
  ] as const) {
    const token = signed({ alg: 'ES256', kid: ours.kid, typ }, genuineClaims())
    expect([typ, (await outcome(token, 'Embed-Token'))[0]]).toEqual([typ, status])
  }
})
