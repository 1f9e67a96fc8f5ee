import { expect, onTestFinished, test, vi } from 'vitest'
import { routes } from '../../functions/operations/operations.ts'
import { edgeHash } from '../../functions/runtime/edge.ts'
import { parseRequestTarget } from '../../local/gateway/request.ts'
import { edgeSecrets } from './stages.ts'
import { arn, stageOf } from './suite.ts'

const { made, outputs, resources } = stageOf('edge')
const name = 'embed-access-production-edge-eu-central-1'
const distribution = made('cloudfront:Distribution').EdgeDistribution

test('the edge is where clients reach the service, by the domain', () => {
  expect(outputs.url).toBe('https://api.example.com')
  expect([distribution?.aliases, distribution?.enabled]).toEqual([['api.example.com'], true])
  const viewerCertificate = { minimumProtocolVersion: 'TLSv1.2_2021', sslSupportMethod: 'sni-only' }
  expect(distribution?.viewerCertificate).toMatchObject(viewerCertificate)
  const alias = {
    aliases: [{ name: 'edge.cloudfront.net', zoneId: 'edgeZone', evaluateTargetHealth: true }],
  }
  const records = resources.filter(
    ({ type, inputs }) => /route53.*Record$/.test(type) && inputs.type !== 'CNAME',
  )
  expect(records).toMatchObject(
    ['A', 'AAAA'].map((type) => ({ retained: true, inputs: { ...alias, type } })),
  )
})

// API and edge have the same records under different names. Pulumi makes the new ones first, and
// the provider deletes an old one by name and type, whatever it says by then:
// https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/route53/record.go
test.each(['production', 'staging'])('%s: adding or removing an edge leaves DNS', async (stage) => {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('$app', { stage })
  const made: { transform: { record(inputs: object, options: object): void } }[] = []
  vi.stubGlobal('sst', { aws: { dns: (args: (typeof made)[number]) => made.push(args) } })
  // Its types are those of SST, which this folder does not have.
  const { domainArgs } = await import(`${process.cwd()}/stacks/api.ts`)
  domainArgs({ name: 'api.example.com' })
  const options = {}
  made[0]?.transform.record({}, options)
  expect(options).toEqual({ retainOnDelete: true })
})

test('the end of its certificate, which is abroad, wakes nobody', () => {
  const { HeartbeatAlarm, CertificateExpiryAlarm } = made('cloudwatch:MetricAlarm')
  const operators = arn('sns', 'embed-access-production-heartbeat-eu-central-1', 'us-east-1')
  const onCall = arn('sns', 'on-call', 'us-east-1')
  expect(HeartbeatAlarm?.alarmActions).toEqual([operators, onCall])
  expect(CertificateExpiryAlarm?.alarmActions).toEqual([operators])
})

test('the edge sends its first secret to API Gateway, which answers at its own name', () => {
  expect(distribution?.origins).toEqual([
    {
      originId: 'api',
      domainName: 'gateway.execute-api.eu-central-1.amazonaws.com',
      customHeaders: [{ name: 'x-origin-verify', value: edgeSecrets[0] }],
      customOriginConfig: {
        httpPort: 80,
        httpsPort: 443,
        originProtocolPolicy: 'https-only',
        originSslProtocols: ['TLSv1.2'],
      },
    },
  ])
  expect(made('apigatewayv2:Api').ApiApi?.disableExecuteApiEndpoint).toBe(false)
})

test('only CloudFront has the secrets of the edge; the functions have their hashes', () => {
  for (const [name, { environment }] of Object.entries(made('lambda:Function'))) {
    const hashes = name === 'CatalogSyncFunction' ? undefined : edgeSecrets.map(edgeHash).join(',')
    expect(environment.variables.EDGE_SECRET_HASHES, name).toBe(hashes)
  }
  const holding = resources.filter(({ inputs }) =>
    edgeSecrets.some((each) => JSON.stringify(inputs).includes(each)),
  )
  expect(holding.map(({ name }) => name)).toEqual(['EdgeDistribution'])
})

test('API Gateway keeps decisions apart by the edge’s secret and the address', () => {
  expect(
    made('apigatewayv2:Authorizer').ApiAuthorizerCredentialsAuthorizer?.identitySources,
  ).toEqual([
    '$request.header.Authorization',
    '$context.routeKey',
    '$request.header.x-origin-verify',
    '$request.header.true-client-ip',
  ])
})

test('the access log has the caller’s address as the authorizer says it', () => {
  const { format } = made('apigatewayv2:Stage').ApiStage?.accessLogSettings ?? {}
  expect(JSON.parse(format.replace('$context.status', '0'))).toMatchObject({
    sourceIp: '$context.identity.sourceIp',
    callerIp: '$context.authorizer.callerIp',
  })
})

test('the edge caches what everybody may read, and nothing else, not even errors', () => {
  const {
    defaultCacheBehavior,
    orderedCacheBehaviors = [],
    customErrorResponses,
  } = distribution ?? {}
  const behavior = {
    targetOriginId: 'api',
    viewerProtocolPolicy: 'https-only',
    // AllViewerExceptHostHeader, which has Authorization and all query strings.
    originRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    compress: false,
    functionAssociations: [
      { eventType: 'viewer-request', functionArn: arn('cloudfront', `function/${name}`, '') },
    ],
    cachedMethods: ['GET', 'HEAD'],
    allowedMethods: ['GET', 'HEAD', 'OPTIONS'],
  }
  expect(defaultCacheBehavior).toEqual({
    ...behavior,
    // CachingDisabled
    cachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    allowedMethods: [...behavior.allowedMethods, 'PUT', 'POST', 'PATCH', 'DELETE'],
  })
  const open = routes.filter(({ access, method }) => access === 'public' && method === 'GET')
  const cached = { ...behavior, cachePolicyId: 'EdgeCacheId' }
  expect(orderedCacheBehaviors).toEqual(open.map(({ path }) => ({ ...cached, pathPattern: path })))
  const errors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]
  expect(customErrorResponses).toEqual(
    errors.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })),
  )
  expect(made('cloudfront:CachePolicy').EdgeCache).toMatchObject({
    minTtl: 0,
    defaultTtl: 0,
    maxTtl: 86_400,
    parametersInCacheKeyAndForwardedToOrigin: {
      headersConfig: { headerBehavior: 'whitelist', headers: { items: ['Origin'] } },
      cookiesConfig: { cookieBehavior: 'none' },
      queryStringsConfig: { queryStringBehavior: 'none' },
      enableAcceptEncodingGzip: true,
    },
  })
})

test('the edge replaces the address that a caller sends by its own', () => {
  const { code, ...others } = made('cloudfront:Function').EdgeAddress ?? {}
  expect(others).toEqual({ name, runtime: 'cloudfront-js-2.0', publish: true })
  const handler = new Function(`${code}; return handler`)()
  const request = {
    uri: '/',
    headers: { 'true-client-ip': { value: '1.2.3.4' }, accept: { value: '*/*' } },
  }
  expect(handler({ viewer: { ip: '203.0.113.7' }, request })).toEqual({
    uri: '/',
    headers: { 'true-client-ip': { value: '203.0.113.7' }, accept: { value: '*/*' } },
  })
})

test('the edge limits each address and each credential to a tenth', () => {
  const { scope, defaultAction, rules, visibilityConfig, customResponseBodies } =
    made('wafv2:WebAcl').EdgeFirewall ?? {}
  expect([scope, defaultAction]).toEqual(['CLOUDFRONT', { allow: {} }])
  // A sampled request would show its credential.
  const seen = (metricName: string) => ({
    metricName,
    cloudwatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  })
  expect(visibilityConfig).toEqual(seen(name))
  const header = {
    name: 'authorization',
    textTransformations: inOrder('COMPRESS_WHITE_SPACE', 'LOWERCASE'),
  }
  const scopeDownStatement = { regexMatchStatement: expect.anything() }
  const limits = {
    // It counts every request, whatever its path and headers, so the higher limit holds.
    address: { aggregateKeyType: 'IP', limit: 6000 },
    openRoutes: { aggregateKeyType: 'IP', limit: 6000, scopeDownStatement },
    credential: { aggregateKeyType: 'CUSTOM_KEYS', limit: 10, customKeys: [{ header }] },
  }
  const [body] = customResponseBodies as [{ key: string }]
  expect(body).toMatchObject({
    contentType: 'APPLICATION_JSON',
    content: { message: 'Too Many Requests' },
  })
  const tooManyRequests = {
    responseCode: 429,
    customResponseBodyKey: body.key,
    responseHeaders: [{ name: 'retry-after', value: '60' }],
  }
  expect(rules).toEqual(
    Object.entries(limits).map(([name, limit], priority) => ({
      name,
      priority,
      action: { block: { customResponse: tooManyRequests } },
      statement: { rateBasedStatement: { evaluationWindowSec: 60, ...limit } },
      visibilityConfig: seen(name),
    })),
  )
  expect(distribution?.webAclId).toBe(arn('wafv2', name, 'us-east-1'))
})

test('the edge logs what it blocks and each request, without credentials and queries', () => {
  const { EdgeBlocked, EdgeRequests } = made('cloudwatch:LogGroup')
  expect([EdgeBlocked, EdgeRequests]).toEqual([
    { name: `aws-waf-logs-${name}`, retentionInDays: 90 },
    { name: `/aws/vendedlogs/cloudfront/${name}`, retentionInDays: 90 },
  ])
  const conditions = [{ actionCondition: { action: 'BLOCK' } }]
  const filters = [{ behavior: 'KEEP', requirement: 'MEETS_ANY', conditions }]
  const group = (name: string) => arn('logs', `log-group:${name}`)
  expect(made('wafv2:WebAclLoggingConfiguration').EdgeBlockedLog).toEqual({
    resourceArn: distribution?.webAclId,
    logDestinationConfigs: [group(EdgeBlocked?.name)],
    loggingFilter: { defaultBehavior: 'DROP', filters },
  })
  // This covers rules that count by a header too, because nothing is left out.
  const fieldKeys = ['authorization', 'cookie', 'referer']
  const hidden = [{ fieldType: 'SINGLE_HEADER', fieldKeys }, { fieldType: 'QUERY_STRING' }]
  expect(made('wafv2:WebAcl').EdgeFirewall?.dataProtectionConfig).toEqual({
    dataProtections: hidden.map((field) => ({ action: 'SUBSTITUTION', field })),
  })
  expect(made('cloudwatch:LogDeliverySource').EdgeRequestsSource).toEqual({
    name,
    logType: 'ACCESS_LOGS',
    resourceArn: arn('cloudfront', 'EdgeDistribution'),
  })
  expect(made('cloudwatch:LogDeliveryDestination').EdgeRequestsDestination).toEqual({
    name,
    outputFormat: 'json',
    deliveryDestinationConfiguration: { destinationResourceArn: group(EdgeRequests?.name) },
  })
  const { recordFields, ...delivery } = made('cloudwatch:LogDelivery').EdgeRequestsDelivery ?? {}
  expect(delivery).toEqual({
    deliverySourceName: name,
    deliveryDestinationArn: arn('logs', `delivery-destination:${name}`, 'us-east-1'),
  })
  // Who asked for what, and what became of it.
  expect(recordFields).toEqual(
    expect.arrayContaining(['date', 'time', 'c-ip', 'cs-method', 'cs-uri-stem', 'sc-status']),
  )
  for (const field of recordFields) expect(field).not.toMatch(/query|cookie|referer|agent/i)
})

test('the limit of open routes counts a path in every spelling', () => {
  const [, { statement }] = made('wafv2:WebAcl').EdgeFirewall?.rules ?? []
  const { regexString, textTransformations, fieldToMatch } =
    statement.rateBasedStatement.scopeDownStatement.regexMatchStatement
  expect([fieldToMatch, textTransformations]).toEqual([
    { uriPath: {} },
    inOrder('URL_DECODE', 'URL_DECODE'),
  ])
  const counted = (path: string) =>
    new RegExp(regexString).test(decodeURIComponent(decodeURIComponent(path)))
  const escaped = (text: string) => text.replaceAll('e', '%65')
  for (const { access, path } of routes) {
    const spelt = [path, escaped(path), escaped(path).replaceAll('%', '%25'), `${path}%3Fa=1`]
    for (const spelling of spelt) {
      expect(parseRequestTarget(spelling)?.path, spelling).toBe(path)
      expect(counted(spelling), spelling).toBe(access === 'public')
    }
    for (const other of [`${path}x`, `/x${path}`, path.replace('.', 'x')])
      if (other !== path) expect(counted(other), other).toBe(false)
  }
})

const inOrder = (...types: string[]) => types.map((type, priority) => ({ type, priority }))
