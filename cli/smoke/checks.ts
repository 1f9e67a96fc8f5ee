import { deepEqual, equal, ok } from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Client } from './client.ts'

export type Checks = Readonly<Record<string, (service: Client) => Promise<void>>>

/** Checks that need no credential. They also compare the bodies of refusals. */
export const keylessChecks: Checks = {
  'serves its specification': async (service) => {
    const { openapi, paths } = await service.get(200, '/api/v1/spec', null)
    ok(openapi?.startsWith('3.') && paths, 'the specification is no OpenAPI document')
  },
  'publishes its keys, the next one included, and nothing private': async (service) => {
    const { keys } = await service.get(200, '/.well-known/jwks.json', null)
    ok(keys.length >= 2, `the key set has ${keys.length} keys, not two or more`)
    const members = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']
    for (const key of keys) deepEqual(Object.keys(key).sort(), members)
  },
  'refuses a missing credential, and a wrong one': async (service) => {
    const list = '/api/v1/deployments/1/dbt-sync'
    deepEqual(await service.get(401, list, null), { message: 'Unauthorized' })
    const { code, status } = await service.get(401, list, 'sk-nobody')
    deepEqual({ code, status }, { code: 'unauthenticated', status: 401 })
  },
  'refuses a session that never was': async (service) => {
    const body = { sessionId: 'A'.repeat(43) }
    const { code } = await service.post(401, '/api/v1/embed/session/token', body, null)
    equal(code, 'invalid_session')
  },
  'has no other routes': async (service) =>
    deepEqual(await service.get(404, '/api/v1/no-such-thing', null), { message: 'Not Found' }),
}

type Subject = {
  issuer: string
  deploymentId: number
  /** Left out: its workbooks are not listed. */
  embedTenantName?: string | undefined
}

export function checks({ issuer, deploymentId, embedTenantName }: Subject): Checks {
  const deployment = `/api/v1/deployments/${deploymentId}`
  const syncs = `${deployment}/dbt-sync`
  const externalId = `smoke-${Date.now()}`
  const generated = (service: Client, securityContext = {}, query = '') =>
    service.post(200, `/api/v1/embed/generate-session${query}`, {
      deploymentId,
      externalId,
      securityContext,
    })
  const exchanged = (service: Client, status: number, { sessionId }: { sessionId: string }) =>
    service.post(status, '/api/v1/embed/session/token', { sessionId }, null)
  const ofTenant: Checks = {
    'lists an embed tenant’s workbooks, from every source of access': async (service) => {
      const path = `${deployment}/embed-tenants/${embedTenantName}/workbooks`
      await pages(service, path, 'id')
      for (const source of ['tenant', 'allEmbedUsers', 'folder']) {
        await service.get(200, `${path}?accessSource=${source}&first=1`)
      }
    },
  }

  return {
    'lists dbt syncs, page by page': (service) => pages(service, syncs, 'syncJobId'),
    'lists notifications, page by page': (service) =>
      pages(service, `${deployment}/notifications`, 'id'),
    ...(embedTenantName !== undefined && ofTenant),
    'makes a session, and a token of it once, which its key set verifies': async (service) => {
      const session = await generated(service)
      const { token, expiresIn } = await exchanged(service, 200, session)
      await exchanged(service, 401, session)
      const keySet = createLocalJWKSet(await service.get(200, '/.well-known/jwks.json', null))
      const { payload } = await jwtVerify(token, keySet, { issuer, typ: 'embed+jwt' })
      deepEqual([payload.deploymentId, payload.externalId], [deploymentId, externalId])
      const rest = (payload.exp as number) - (payload.iat as number) - expiresIn
      ok(rest >= 0 && rest < 10, `the lifetime and expiresIn differ by ${rest} seconds`)
      await service.get(403, syncs, token)
    },
    'takes a token of the largest size, until its session is revoked': async (service) => {
      const { tokenBytes, limits } = await generated(service, { filler: '' }, '?dryRun=true')
      // Three bytes of a claim are four of the token.
      const filler = 'x'.repeat(Math.floor(((limits.maxTokenBytes - tokenBytes) * 3) / 4) - 2)
      const session = await generated(service, { filler })
      const { token } = await exchanged(service, 200, session)
      const rest = limits.maxTokenBytes - token.length
      ok(rest >= 0 && rest < 8, `the token has ${token.length} bytes of ${limits.maxTokenBytes}`)
      await service.get(403, syncs, token)
      await service.post(204, '/api/v1/embed/session/revoke', session)
      // API Gateway has kept its decision about the token, so the function must refuse it.
      await service.get(401, syncs, token)
    },
    'revokes a session before it is redeemed': async (service) => {
      const session = await generated(service)
      await service.post(204, '/api/v1/embed/session/revoke', session)
      await exchanged(service, 401, session)
    },
  }
}

async function pages(service: Client, path: string, id: string): Promise<void> {
  const first = await service.get(200, `${path}?first=2`)
  ok(first.items.length <= 2, 'a page is longer than asked for')
  if (!first.pageInfo.hasNextPage) return
  const after = encodeURIComponent(first.pageInfo.endCursor)
  const second = await service.get(200, `${path}?first=2&after=${after}`)
  const ids = [...first.items, ...second.items].map((item) => item[id])
  equal(new Set(ids).size, ids.length, 'an item comes twice')
}
