import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { checks, keylessChecks } from '../../cli/smoke/checks.ts'
import { client } from '../../cli/smoke/client.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { operations, routeKeyOf } from '../../functions/operations/operations.ts'
import { edgeHeader } from '../../functions/runtime/edge.ts'
import { demoKeys } from '../../local/demo/keys.ts'
import { startSqs } from '../feed/sqs.ts'
import { edgeSecrets } from '../infrastructure/stages.ts'
import { evaluated, type StageName } from '../infrastructure/suite.ts'
import { secretsOfLambda } from './emulated.ts'
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
    const asked = (method: string, path = own) =>
      statusOf(path, { method, headers: { authorization: `Bearer ${token}` } })
    expect(await asked('GET', '/api/v1/embed/workbooks')).toBe(200)
    expect([await asked('GET'), await asked('DELETE'), await asked('GET')]).toEqual([200, 204, 401])
  })

  test('a list is compressed, and its workbook says who can see it', async () => {
    const list = await stage.fetch(workbooks, { headers })
    expect(list.headers.get('content-encoding')).toBe('gzip')
    const [{ id }] = (await stage.body(workbooks, { headers })).items
    expect(await statusOf(`${deployment}/workbooks/${id}/embed-tenants`)).toBe(200)
    const others = ['/docs/errors', '/.well-known/embed-revocations', '/api/v1/embed-tenants']
    for (const path of others) expect(await statusOf(path)).toBe(200)
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
    const lines = stage
      .printed()
      .split('\n')
      .filter((each) => !platform.test(each))
    expect(lines.filter((each) => !isRight(each))).toEqual([])
    expect(lines.some((each) => each.includes('"_aws"'))).toBe(name !== 'preview')
    expect(secrets.filter((each) => stage.printed().includes(each))).toEqual([])
  })
})

/** What Lambda prints around the lines of a function. */
const platform = /^(START RequestId|END RequestId|REPORT RequestId): |^$/

/**
 * Whether CloudWatch takes a line whole, and its metrics:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function isRight(line: string): boolean {
  const { _aws: { Timestamp = 1, CloudWatchMetrics = [] } = {}, ...fields } = JSON.parse(line)
  const isMetric = ({ Name, Unit }: { Name: string; Unit: string }) =>
    [fields[Name]].flat().every(Number.isFinite) && /^(Count|Milliseconds)$/.test(Unit)
  const isTaken = ({ Namespace, Dimensions, Metrics }: Record<string, string & never[]>) =>
    /^[\w./#:-]{1,255}$/.test(Namespace ?? '') &&
    Metrics?.every(isMetric) &&
    Dimensions?.flat().every((name) => /^.{1,1024}$/.test(fields[name]))
  const isWhole = Buffer.byteLength(line) <= 256 * 1024 && Number.isInteger(Timestamp)
  const isOurs =
    ['info', 'warn', 'error'].includes(fields.level) && !Number.isNaN(Date.parse(fields.time))
  return isWhole && isOurs && URL.canParse(fields.issuer) && CloudWatchMetrics.every(isTaken)
}

describe('a database that never answers', async () => {
  const hole = createServer(() => {}).listen(0, '127.0.0.1')
  await once(hole, 'listening')
  afterAll(() => void hole.close())
  const { started } = service('staging', `http://127.0.0.1:${(hole.address() as AddressInfo).port}`)
  const credential = { kind: 'apiKey', key: '29662428ed60' }
  const who = { accountId: 'harborline', userId: 1, admin: true, scoped: false, credential }
  const lambda = { ...who, allowed: true, principal: { ...who, deploymentIds: 'all' } }

  test.each([
    ['exchange-session', { body: `{"sessionId":"${'A'.repeat(43)}"}` }],
    ['generate-session', { body: generation }],
    ['get-key-set', {}],
    ['get-embed-revocations', {}],
    ['list-embed-tenant-workbooks', { pathParameters: { ...tenant, deploymentId: '1001' } }],
  ] as const)('%s answers 503 within its time, also the second time', async (id, more) => {
    const event = eventOf(
      routeKeyOf(operations[id]),
      { headers, ...more },
      { authorizer: { lambda } },
    )
    for (const _ of [1, 2]) {
      const answer = await (await started(id)).invoke(event)
      expect(answer).toMatchObject({ statusCode: 503 })
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'database_unavailable' })
    }
  })

  test('the authorizer throws within its time, of which API Gateway makes a 500', async () => {
    const event = eventOf('GET /api/v1/deployments/{deploymentId}/dbt-sync', { headers })
    const answer = (await started('authorizer')).invoke(event)
    await expect(answer).rejects.toThrow(/TimeoutError|AbortError/)
  })

  test('catalog-sync gives its messages back within its time', async () => {
    const batch = batchOf(JSON.stringify({ kind: 'folder', data: folder }))
    const answer = await (await started('catalog-sync')).invoke(batch)
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-0' }] })
  })
})

function eventOf(routeKey: string, more: object, context: object = {}) {
  const http = { method: routeKey.split(' ')[0], sourceIp: '203.0.113.7' }
  return {
    version: '2.0',
    routeKey,
    requestContext: { requestId: 'id', http, ...context },
    ...more,
  }
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
