import { createServer } from 'node:net'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { checks, keylessChecks } from '../../cli/smoke/checks.ts'
import { client } from '../../cli/smoke/client.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { startSqs } from '../feed/sqs.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { evaluated, type StageName } from '../infrastructure/suite.ts'
import { secretKey } from './emulated.ts'
import { type Line, linesIn, wrongMetrics } from './lines.ts'
import { service } from './service.ts'

const admin = { authorization: `Bearer ${demoKeys.admin}` }
const json = { 'content-type': 'application/json' }
const tenant = { deploymentId: 1001, embedTenantName: 'alder-oak' }
const lists = `/api/v1/deployments/${tenant.deploymentId}`
const workbooks = `${lists}/embed-tenants/${tenant.embedTenantName}/workbooks`
const folder = { deploymentId: 1001, id: 900_001, name: 'new', parentId: null }

describe.each(Object.keys(evaluated) as StageName[])('%s', (name) => {
  const stage = service(name, () => ({ DYNAMODB_ENDPOINT: inject('database') }))
  const secrets = [demoKeys.admin, secretKey, ...edgeSecrets]
  const secret = (value: string): string => {
    secrets.push(value)
    return value
  }
  const newSession = async (): Promise<string> => {
    const body = JSON.stringify({ ...tenant, externalId: 'u-1' })
    const init = { method: 'POST', body, headers: { ...admin, ...json } }
    return secret((await stage.body('/api/v1/embed/generate-session', init)).sessionId)
  }
  const redemption = (body: string, headers: Record<string, string> = json) =>
    ['/api/v1/embed/session/token', { method: 'POST', body, headers }] as const

  test.each(
    Object.entries({
      ...keylessChecks,
      ...checks({ ...tenant, issuer: stage.issuer }),
    }),
  )('%s', async (_, check) => check(client(stage.url(), demoKeys.admin)))

  test('a token of a session answers until it is ended', async () => {
    const sessionId = await newSession()
    const { token } = await stage.body(...redemption(JSON.stringify({ sessionId })))
    const headers = { authorization: `Bearer ${secret(token)}` }
    const asked = (method: string) => stage.status('/api/v1/embed/session', { method, headers })
    const statuses = [await asked('GET'), await asked('DELETE'), await asked('GET')]
    expect(statuses).toEqual([200, 204, 401])
  })

  test('a list is compressed, and its workbook says who can see it', async () => {
    const { headers } = await stage.fetch(workbooks, { headers: admin })
    expect(headers.get('content-encoding')).toBe('gzip')
    const [{ id }] = (await stage.body(workbooks, { headers: admin })).items
    const viewers = `${lists}/workbooks/${id}/embed-tenants`
    expect(await stage.status(viewers, { headers: admin })).toBe(200)
    expect(await stage.status('/docs/errors')).toBe(200)
  })

  test('a body that is no JSON has its refusal', async () => {
    const sessionId = await newSession()
    const body = JSON.stringify({ sessionId })
    const status = (...sent: Parameters<typeof redemption>) => stage.status(...redemption(...sent))
    expect(await status(body, { 'content-type': 'text/plain' })).toBe(415)
    expect(await status('{bad')).toBe(400)
    const encoded = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
    const event = eventOf('POST /api/v1/embed/session/token', {
      ...encoded,
      headers: { ...json, [edgeHeader]: edgeSecrets[0] },
    })
    const answer = await (await stage.started('exchange-session')).invoke(event)
    expect(answer).toMatchObject({ statusCode: 200 })
    secret(JSON.parse(answer.body).token)
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
    const headers = { ...admin, [edgeHeader]: 'guessed' }
    for (const path of ['/api/v1/spec', workbooks]) {
      expect(await stage.status(path, { headers })).toBe(403)
    }
  })

  test('each function has started; its lines are JSON with metrics, without secrets', () => {
    expect(stage.names()).toEqual(Object.keys(lambdas).sort())
    const lines = linesIn(stage.printed())
    expect(lines.filter((line) => typeof line === 'string')).toEqual([])
    expect((lines as Line[]).flatMap(wrongMetrics)).toEqual([])
    expect((lines as Line[]).some(({ _aws }) => _aws !== undefined)).toBe(name !== 'preview')
    expect(secrets.filter((each) => stage.printed().includes(each))).toEqual([])
  })
})

describe('a database that accepts connections and never answers', () => {
  const hole = createServer(() => {})
  let endpoint = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(hole.address() as { port: number }).port}`
    return () => void hole.close()
  })
  const stage = service(
    'staging',
    () => ({ DYNAMODB_ENDPOINT: endpoint }),
    () => allowed,
  )
  const silent = { status: 503, body: { code: 'database_unavailable' } }
  const session = JSON.stringify({ ...tenant, externalId: 'u-1' })

  test.each([
    ['POST', '/api/v1/embed/session/token', `{"sessionId":"${'A'.repeat(43)}"}`],
    ['POST', '/api/v1/embed/generate-session', session],
    ['GET', '/.well-known/jwks.json'],
    ['GET', workbooks],
  ])('%s %s is a 503 within the time of its function, also the second time', async (...call) => {
    const [method, path, body = null] = call
    for (const _ of [1, 2]) {
      const response = await stage.fetch(path, { method, body, headers: { ...admin, ...json } })
      expect({ status: response.status, body: await response.json() }).toMatchObject(silent)
    }
  })

  test('the authorizer throws within its time, of which API Gateway makes a 500', async () => {
    const routeKey = 'GET /api/v1/deployments/{deploymentId}/dbt-sync'
    const described = eventOf(routeKey, { headers: admin })
    const answer = (await stage.started('authorizer')).invoke(described)
    await expect(answer).rejects.toThrow(/TimeoutError|AbortError/)
  })

  test('catalog-sync gives its messages back within its time', async () => {
    const batch = batchOf(JSON.stringify({ kind: 'folder', data: folder }))
    const answer = await (await stage.started('catalog-sync')).invoke(batch)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] })
  })
})

/** What the authorizer would have told, if it had a database. */
const allowed = {
  allowed: true,
  accountId: 'harborline',
  principal: {
    accountId: 'harborline',
    userId: 1,
    admin: true,
    scoped: false,
    credential: { kind: 'apiKey', key: '29662428ed60' },
    deploymentIds: 'all',
  },
}

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
