import { readFileSync } from 'node:fs'
import { type ChangeResult, catalogWriter } from '@embed-access/core/catalog/apply.ts'
import { beforeAll, expect, test } from 'vitest'
import { firstCalls, startedLately } from '../../local/demo/catalog.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { demoChanges, world } from '../support/service.ts'

const changes = demoChanges()
const service = world(changes, { isInMemory: true })
let results: ChangeResult[]

beforeAll(async () => {
  results = await catalogWriter(new MemoryTables().storage, { now: () => service.now })(changes)
})

test('the demo catalog is accepted line by line', () => {
  expect(results).toHaveLength(changes.length)
  expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([])
})

test('a sync of the demo that runs started minutes before npm start loads it', () => {
  const loaded = changes.map((change) => startedLately(change, service.now))
  const changed = loaded.filter((change, index) => change !== changes[index])
  expect(changed.length).toBeGreaterThan(3)
  for (const change of changed) {
    const { status, startedAt } = (change as { data: Record<string, string> }).data
    const minutes = (service.now - Date.parse(String(startedAt))) / 60_000
    expect([status, minutes > 1 && minutes < 15]).toEqual(['RUNNING', true])
  }
})

type Parameter = {
  name: string
  in: string
  required: boolean
  example?: unknown
  schema: { enum?: unknown[] }
}
type Operation = {
  parameters?: Parameter[]
  requestBody?: {
    content: { 'application/json': { examples: Record<string, { value: { sessionId?: string } }> } }
  }
}

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}

/** Requests made of the examples alone: each value of each parameter by itself, and each body. */
const requests = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      String(parameters.find((parameter) => parameter.name === name)?.example),
    )
    const queries = parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, example, schema }) =>
        [...(example === undefined ? [] : [example]), ...(schema.enum ?? [])].map(
          (value) => `?${name}=${value ?? ''}`,
        ),
      )
    const bodies = Object.values(requestBody?.content['application/json'].examples ?? {}).map(
      ({ value }) => value,
    )
    return ['', ...queries].flatMap((query) =>
      (bodies.length > 0 ? bodies : [undefined]).map((body) => ({
        method,
        target: target + query,
        body,
      })),
    )
  }),
)

/** Later: an example revokes all tokens of the tenant until now, and a second more. */
async function tokenOfEndUser() {
  service.now += 2000
  const session = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'user-1' }
  const { body } = await service.post('/api/v1/embed/generate-session', {
    key: demoKeys.admin,
    body: session,
  })
  const { token } = (await service.post('/api/v1/embed/session/token', { body })).body
  return { authorization: `Bearer ${token}` }
}

// The session of the examples is nobody's, so its exchange is refused.
test.each(requests)(
  'the demo answers the documented example $method $target with $body',
  async (request) => {
    const { method, target, body } = request
    const isOfToken = /^\/api\/v1\/embed\/(session$|workbooks)/.test(target)
    const asked = isOfToken ? await tokenOfEndUser() : { key: demoKeys.admin }
    const reply = await service[method as 'get' | 'post' | 'delete'](target, {
      ...asked,
      ...(body && { body }),
    })
    const exchanged = target.endsWith('/session/token')
    expect([reply.status, reply.body?.code]).toEqual(
      exchanged ? [401, 'invalid_session'] : [expect.any(Number), undefined],
    )
    if (!exchanged) expect(reply.status).toBeOneOf([200, 204])
  },
)

test('what npm start prints to paste has no comment, which zsh takes for a command', () => {
  expect(firstCalls('http://127.0.0.1:8787')).not.toMatch(/^ *#/m)
})
