import { deepEqual, equal, ok } from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Answer, Client } from './client.ts'

export type Subject = {
  readonly issuer: string
  readonly deploymentId: number
  /** Left out: its workbooks are not listed. */
  readonly embedTenantName?: string | undefined
}

export type Check = (service: Client) => Promise<void>

/** What can be tried with a key, in this order. */
export function checks({ issuer, deploymentId, embedTenantName }: Subject): [string, Check][] {
  const deployment = `/api/v1/deployments/${deploymentId}`
  const externalId = `smoke-${Date.now()}`
  const made = async (service: Client, securityContext = {}) =>
    has(200, await generated(service, '', securityContext)).sessionId as string
  const generated = (service: Client, query: string, securityContext: object) =>
    service.post(`/api/v1/embed/generate-session${query}`, { deploymentId, externalId, securityContext })
  const exchanged = (service: Client, sessionId: string) =>
    service.post('/api/v1/embed/session/token', { sessionId }, null)

  return [
    ['lists dbt syncs, page by page', (service) => pages(service, `${deployment}/dbt-sync`, 'syncJobId')],
    ['lists notifications, page by page', (service) => pages(service, `${deployment}/notifications`, 'id')],
    ...(embedTenantName === undefined ? [] : [workbooksOf(deployment, embedTenantName)]),
    [
      'makes a session, and a token of it once, which its key set verifies',
      async (service) => {
        const sessionId = await made(service)
        const { token, expiresIn } = has(200, await exchanged(service, sessionId))
        has(401, await exchanged(service, sessionId))
        const keys = has(200, await service.get('/.well-known/jwks.json', null))
        deepEqual(
          keys.keys.filter((key: object) => 'd' in key),
          [],
          'the key set has private keys',
        )
        const { payload } = await jwtVerify(token, createLocalJWKSet(keys), { issuer, typ: 'embed+jwt' })
        deepEqual([payload.deploymentId, payload.externalId], [deploymentId, externalId])
        equal((payload.exp as number) - (payload.iat as number), expiresIn)
        has(403, await service.get(`${deployment}/dbt-sync`, token))
      },
    ],
    [
      'takes a token of the largest size, until its session is revoked',
      async (service) => {
        const { tokenBytes, limits } = has(200, await generated(service, '?dryRun=true', { filler: '' }))
        // Three bytes of a claim are four of the token.
        const filler = 'x'.repeat(Math.floor(((limits.maxTokenBytes - tokenBytes) * 3) / 4) - 2)
        const sessionId = await made(service, { filler })
        const { token } = has(200, await exchanged(service, sessionId))
        const rest = limits.maxTokenBytes - token.length
        ok(rest >= 0 && rest < 8, `the token has ${token.length} bytes of ${limits.maxTokenBytes}`)
        has(403, await service.get(`${deployment}/dbt-sync`, token))
        has(204, await service.post('/api/v1/embed/session/revoke', { sessionId }))
        // API Gateway has kept its decision about the token, so the function must refuse it.
        has(401, await service.get(`${deployment}/dbt-sync`, token))
      },
    ],
    [
      'revokes a session before it is redeemed',
      async (service) => {
        const sessionId = await made(service)
        has(204, await service.post('/api/v1/embed/session/revoke', { sessionId }))
        has(401, await exchanged(service, sessionId))
      },
    ],
  ]
}

const workbooksOf = (deployment: string, tenant: string): [string, Check] => [
  'lists an embed tenant’s workbooks, from every source of access',
  async (service) => {
    const path = `${deployment}/embed-tenants/${tenant}/workbooks`
    await pages(service, path, 'id')
    for (const source of ['tenant', 'allEmbedUsers', 'folder']) {
      has(200, await service.get(`${path}?accessSource=${source}&first=1`))
    }
  },
]

/** Two pages that follow each other have nothing in common. */
async function pages(service: Client, path: string, id: string): Promise<void> {
  const first = has(200, await service.get(`${path}?first=2`))
  ok(first.items.length <= 2, 'a page is longer than asked for')
  if (!first.pageInfo.hasNextPage) return
  const after = encodeURIComponent(first.pageInfo.endCursor)
  const second = has(200, await service.get(`${path}?first=2&after=${after}`))
  const ids = [...first.items, ...second.items].map((item) => item[id])
  equal(new Set(ids).size, ids.length, 'an item comes twice')
}

/** @returns the body of an answer that has this status */
export function has(status: number, { status: actual, body }: Answer): Answer['body'] {
  if (actual === status) return body
  throw new Error(`answered ${actual} instead of ${status}: ${JSON.stringify(body).slice(0, 300)}`)
}
