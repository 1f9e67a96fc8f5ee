import { deepEqual, equal, ok } from 'node:assert/strict'
import { type Check, has } from './checks.ts'

/** What can be tried of a service without a credential, with the bodies of what it refuses. */
export const keylessChecks: readonly (readonly [string, Check])[] = [
  [
    'serves its specification',
    async (service) => {
      const { openapi, paths } = has(200, await service.get('/api/v1/spec', null))
      ok(openapi?.startsWith('3.') && paths, 'the specification is no OpenAPI document')
    },
  ],
  [
    'publishes its keys, the next one included, and nothing private',
    async (service) => {
      const { keys } = has(200, await service.get('/.well-known/jwks.json', null))
      ok(keys.length >= 2, `the key set has ${keys.length} keys, not two or more`)
      const members = ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']
      for (const key of keys) deepEqual(Object.keys(key).sort(), members)
    },
  ],
  [
    'refuses who brings no credential, or a wrong one',
    async (service) => {
      deepEqual(has(401, await service.get('/api/v1/deployments/1/dbt-sync', null)), { message: 'Unauthorized' })
      const { code, status } = has(401, await service.get('/api/v1/deployments/1/dbt-sync', 'sk-nobody'))
      deepEqual({ code, status }, { code: 'unauthenticated', status: 401 })
    },
  ],
  [
    'refuses a session that never was',
    async (service) => {
      const sessionId = 'A'.repeat(43)
      const { code } = has(401, await service.post('/api/v1/embed/session/token', { sessionId }, null))
      equal(code, 'invalid_session')
    },
  ],
  [
    'has no other routes',
    async (service) => deepEqual(has(404, await service.get('/api/v1/no-such-thing', null)), { message: 'Not Found' }),
  ],
]
