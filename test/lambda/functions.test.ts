import { createServer } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { checks, keylessChecks } from '../../cli/smoke/checks.ts'
import { client } from '../../cli/smoke/client.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { startSqs } from '../feed/sqs.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { evaluated, type StageName } from '../infrastructure/suite.ts'
import { secretsOfLambda } from './emulated.ts'
import { checked } from './lines.ts'
import { service } from './service.ts'

const headers = { authorization: `Bearer ${demoKeys.admin}`, 'content-type': 'application/json' }
const tenant = { deploymentId: 1001, embedTenantName: 'alder-oak' }
const deployment = `/api/v1/deployments/${tenant.deploymentId}`
const workbooks = `${deployment}/embed-tenants/${tenant.embedTenantName}/workbooks`
const folder = { deploymentId: 1001, id: 900_001, name: 'new', parentId: null }
const own = '/api/v1/embed/session'
const generation = JSON.stringify({ ...tenant, externalId: 'u-1' })

describe.each(Object.keys(evaluated) as StageName[])('%s', (name) => {
  const stage = service(name)
  const secrets = [demoKeys.admin, ...secretsOfLambda, ...edgeSecrets]
  const statusOf = async (path: string, init: RequestInit = { headers }) =>
    (await stage.fetch(path, init)).status
  const redemption = (body: string, type = 'application/json') =>
    [`${own}/token`, { method: 'POST', body, headers: { 'content-type': type } }] as const

  async function newSession(): Promise<string> {
    const init = { method: 'POST', body: generation, headers }
    const { sessionId } = await stage.body('/api/v1/embed/generate-session', init)
    secrets.push(sessionId)
    return JSON.stringify({ sessionId })
  }

  const smoke = { ...keylessChecks, ...checks({ ...tenant, issuer: stage.issuer }) }
  test.each(Object.entries(smoke))('%s', (_, check) => check(client(stage.url(), demoKeys.admin)))

  test('a token of a session answers until it is ended', async () => {
    const { token } = await stage.body(...redemption(await newSession()))
    secrets.push(token)
    const asked = (method: string) =>
      statusOf(own, { method, headers: { authorization: `Bearer ${token}` } })
    expect([await asked('GET'), await asked('DELETE'), await asked('GET')]).toEqual([200, 204, 401])
  })

  test('a list is compressed, and its workbook says who can see it', async () => {
    const list = await stage.fetch(workbooks, { headers })
    expect(list.headers.get('content-encoding')).toBe('gzip')
    const [{ id }] = (await stage.body(workbooks, { headers })).items
    expect(await statusOf(`${deployment}/workbooks/${id}/embed-tenants`)).toBe(200)
    expect(await statusOf('/docs/errors')).toBe(200)
  })

  test('a body that is no JSON has its refusal, and one in base64 is read', async () => {
    const body = await newSession()
    expect(await statusOf(...redemption(body, 'text/plain'))).toBe(415)
    expect(await statusOf(...redemption('{bad'))).toBe(400)
    const event = eventOf(`POST ${own}/token`, {
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
      headers: { 'content-type': 'application/json', [edgeHeader]: edgeSecrets[0] },
    })
    const answer = await (await stage.started('exchange-session')).invoke(event)
    expect(answer).toMatchObject({ statusCode: 200 })
    secrets.push(JSON.parse(answer.body).token)
  })

  test('of a batch what is right is applied, and the rest becomes dead letters', async () => {
    const sqs = await startSqs()
    const variables = { DEAD_LETTERS_URL: sqs.url('dead'), AWS_ENDPOINT_URL_SQS: sqs.url('dead') }
    const sync = await stage.started('catalog-sync', variables)
    const batch = batchOf(JSON.stringify({ kind: 'folder', revision: 5, data: folder }), 'not JSON')
    expect(await sync.invoke(batch)).toEqual({ batchItemFailures: [] })
    expect(sqs.bodies('dead')).toEqual(['not JSON'])
    await sqs.end()
  })

  test.runIf(name === 'edge')('whoever passes the edge by is refused', async () => {
    const guessed = { headers: { ...headers, [edgeHeader]: 'guessed' } }
    expect(await statusOf('/api/v1/spec', guessed)).toBe(403)
    expect(await statusOf(workbooks, guessed)).toBe(403)
  })

  test('each function has started; its lines are JSON with metrics, without secrets', () => {
    expect(stage.names()).toEqual(Object.keys(lambdas).sort())
    const { problems, withMetrics } = checked(stage.printed())
    expect(problems).toEqual([])
    expect(withMetrics > 0).toBe(name !== 'preview')
    expect(secrets.filter((each) => stage.printed().includes(each))).toEqual([])
  })
})

describe('a database that never answers', () => {
  const hole = createServer(() => {})
  let endpoint = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(hole.address() as { port: number }).port}`
    return () => void hole.close()
  })
  const credential = { kind: 'apiKey', key: '29662428ed60' }
  const who = { accountId: 'harborline', userId: 1, admin: true, scoped: false, credential }
  const principal = { ...who, deploymentIds: 'all' }
  const context = { allowed: true, accountId: 'harborline', principal }
  const stage = service('staging', { endpoint: () => endpoint, context })

  test.each([
    ['POST', `${own}/token`, `{"sessionId":"${'A'.repeat(43)}"}`],
    ['POST', '/api/v1/embed/generate-session', generation],
    ['GET', '/.well-known/jwks.json', null],
    ['GET', '/.well-known/embed-revocations', null],
    ['GET', workbooks, null],
  ])('%s %s is a 503 within its time, also the second time', async (method, path, body) => {
    for (const _ of [1, 2]) {
      const response = await stage.fetch(path, { method, body, headers })
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'database_unavailable' })
    }
  })

  test('the authorizer throws within its time, of which API Gateway makes a 500', async () => {
    const event = eventOf('GET /api/v1/deployments/{deploymentId}/dbt-sync', { headers })
    const answer = (await stage.started('authorizer')).invoke(event)
    await expect(answer).rejects.toThrow(/TimeoutError|AbortError/)
  })

  test('catalog-sync gives its messages back within its time', async () => {
    const batch = batchOf(JSON.stringify({ kind: 'folder', data: folder }))
    const answer = await (await stage.started('catalog-sync')).invoke(batch)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] })
  })
})

const eventOf = (routeKey: string, more: object) => {
  const http = { method: routeKey.split(' ')[0], sourceIp: '203.0.113.7' }
  return { version: '2.0', routeKey, requestContext: { requestId: 'id', http }, ...more }
}

/** As https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html documents it. */
const batchOf = (...bodies: readonly string[]) => ({
  Records: bodies.map((body, index) => ({
    messageId: `message-${index}`,
    body,
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1545082649183' },
    eventSource: 'aws:sqs',
  })),
})
