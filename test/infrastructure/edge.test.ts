import { expect, inject, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { edgeHash } from '../../functions/runtime/edge.ts'
import type { Resource } from './evaluate.ts'
import { edgeSecrets } from './stages.ts'
import { arn, component } from './suite.ts'

const { resources, outputs } = inject('edge')
const { production, own } = inject('stages')

const ofType = (type: string, of = resources) => of.filter((resource) => resource.type === type)

/** @throws Error unless there is exactly one */
function only(type: string): Resource {
  const [found, ...more] = ofType(type)
  if (!found || more.length > 0) throw new Error(`${more.length + 1} of ${type}`)
  return found
}

const idOf = ({ type, name }: Resource) => `${type} ${name}`
/** Without the letters that SST adds to names. */
const textOf = ({ inputs }: Resource) => JSON.stringify(inputs).replaceAll(/-[a-z]{8}(?![a-z])/g, '')
const textsOf = (all: readonly Resource[]) =>
  new Map(all.filter(({ type }) => type.startsWith('aws:')).map((each) => [idOf(each), textOf(each)]))

const name = 'embed-access-production-edge'

test('takes the domain over, and otherwise changes the authorizer and the functions of the API alone', () => {
  const [before, after] = [textsOf(production.resources), textsOf(resources)]
  const gone = [...before.keys()].filter((id) => !after.has(id))
  const made = [...after.keys()].filter((id) => !before.has(id))
  const changed = [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id))
  expect(gone.filter((id) => !/^aws:(acm|route53)\//.test(id)).sort()).toEqual([
    'aws:apigatewayv2/apiMapping:ApiMapping ApiDomainMapping',
    'aws:apigatewayv2/domainName:DomainName ApiDomainName',
  ])
  expect(made.filter((id) => !/^aws:(acm|route53)\//.test(id)).sort()).toEqual([
    'aws:cloudfront/cachePolicy:CachePolicy EdgeCache',
    'aws:cloudfront/distribution:Distribution EdgeDistribution',
    'aws:cloudfront/function:Function EdgeAddress',
    'aws:wafv2/webAcl:WebAcl EdgeFirewall',
  ])
  const behind = Object.keys(lambdas).filter((each) => each !== 'catalog-sync')
  expect(changed.sort()).toEqual(
    [
      'aws:apigatewayv2/api:Api ApiApi',
      'aws:apigatewayv2/authorizer:Authorizer ApiAuthorizerCredentialsAuthorizer',
      ...behind.map((each) => `aws:lambda/function:Function ${component(each)}Function`),
    ].sort(),
  )
})

test('is where clients reach the service, by the domain', () => {
  expect(outputs.url).toBe('https://api.example.com')
  const { aliases, viewerCertificate, enabled } = only('aws:cloudfront/distribution:Distribution').inputs
  expect([aliases, enabled]).toEqual([['api.example.com'], true])
  expect(viewerCertificate).toMatchObject({ minimumProtocolVersion: 'TLSv1.2_2021', sslSupportMethod: 'sni-only' })
  const alias = { aliases: [{ name: 'edge.cloudfront.net', zoneId: 'edgeZone', evaluateTargetHealth: true }] }
  expect(ofType('aws:route53/record:Record').filter(({ inputs }) => inputs.type !== 'CNAME')).toEqual([
    expect.objectContaining({ retained: true, inputs: expect.objectContaining({ ...alias, type: 'A' }) }),
    expect.objectContaining({ retained: true, inputs: expect.objectContaining({ ...alias, type: 'AAAA' }) }),
  ])
})

test('sends its first secret to API Gateway, which answers at its own name', () => {
  expect(only('aws:cloudfront/distribution:Distribution').inputs.origins).toEqual([
    {
      originId: 'api',
      domainName: 'gateway.execute-api.eu-central-1.amazonaws.com',
      customHeaders: [{ name: 'x-edge-secret', value: edgeSecrets[0] }],
      customOriginConfig: {
        httpPort: 80,
        httpsPort: 443,
        originProtocolPolicy: 'https-only',
        originSslProtocols: ['TLSv1.2'],
      },
    },
  ])
  expect(only('aws:apigatewayv2/api:Api').inputs.disableExecuteApiEndpoint).toBe(false)
})

test('gives the functions behind it hashes of all secrets, and nothing the secrets but CloudFront', () => {
  for (const { name, inputs } of ofType('aws:lambda/function:Function')) {
    expect(inputs.environment.variables.EDGE_SECRET_HASHES, name).toBe(
      name === 'CatalogSyncFunction' ? undefined : edgeSecrets.map(edgeHash).join(','),
    )
  }
  const holding = resources.filter((each) => edgeSecrets.some((secret) => textOf(each).includes(secret)))
  expect(holding.map(({ name }) => name)).toEqual(['EdgeDistribution'])
})

test('lets API Gateway keep no decision about who passes it by for who comes through it', () => {
  expect(only('aws:apigatewayv2/authorizer:Authorizer').inputs.identitySources).toEqual([
    '$request.header.Authorization',
    '$context.routeKey',
    '$request.header.x-edge-secret',
  ])
})

test('keeps what everybody may read as its headers say, and nothing else, not even errors', () => {
  const { inputs } = only('aws:cloudfront/distribution:Distribution')
  const behavior = {
    targetOriginId: 'api',
    viewerProtocolPolicy: 'https-only',
    // AllViewerExceptHostHeader, which has Authorization and all query strings.
    originRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    compress: false,
    cachedMethods: ['GET', 'HEAD'],
    functionAssociations: [{ eventType: 'viewer-request', functionArn: arn('cloudfront', name) }],
  }
  expect(inputs.defaultCacheBehavior).toEqual({
    ...behavior,
    // CachingDisabled
    cachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    allowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'PATCH', 'DELETE'],
  })
  expect(inputs.orderedCacheBehaviors).toEqual(
    ['/.well-known/jwks.json', '/api/v1/spec', '/docs/errors'].map((pathPattern) => ({
      ...behavior,
      pathPattern,
      cachePolicyId: 'EdgeCacheId',
      allowedMethods: ['GET', 'HEAD', 'OPTIONS'],
    })),
  )
  expect(inputs.customErrorResponses).toEqual(
    [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })),
  )
  const { comment: _, ...policy } = only('aws:cloudfront/cachePolicy:CachePolicy').inputs
  expect(policy).toEqual({
    name,
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

test('replaces the address that a caller sends by its own', () => {
  const { code, ...others } = only('aws:cloudfront/function:Function').inputs
  expect(others).toEqual({ name, runtime: 'cloudfront-js-2.0', publish: true })
  const handler = new Function(`${code}; return handler`)()
  const request = { uri: '/', headers: { 'true-client-ip': { value: '1.2.3.4' }, accept: { value: '*/*' } } }
  expect(handler({ viewer: { ip: '203.0.113.7' }, request })).toEqual({
    uri: '/',
    headers: { 'true-client-ip': { value: '203.0.113.7' }, accept: { value: '*/*' } },
  })
})

test('limits each address where no credential is needed, and each credential, to a tenth of the API’s limit', () => {
  const { inputs } = only('aws:wafv2/webAcl:WebAcl')
  const seen = (metricName: string) => ({ metricName, cloudwatchMetricsEnabled: true, sampledRequestsEnabled: false })
  const isPath = (searchString: string) => ({
    byteMatchStatement: {
      searchString,
      positionalConstraint: 'EXACTLY',
      fieldToMatch: { uriPath: {} },
      textTransformations: [
        { type: 'URL_DECODE', priority: 0 },
        { type: 'NORMALIZE_PATH', priority: 1 },
      ],
    },
  })
  const rule = (priority: number, name: string, counted: object) => ({
    priority,
    name,
    action: { block: { customResponse: { responseCode: 429 } } },
    statement: { rateBasedStatement: { evaluationWindowSec: 60, ...counted } },
    visibilityConfig: seen(name),
  })
  expect(inputs).toEqual({
    name,
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: seen(name),
    rules: [
      rule(0, 'address', {
        aggregateKeyType: 'IP',
        limit: 6000,
        scopeDownStatement: {
          orStatement: {
            statements: ['/api/v1/embed/session/token', '/.well-known/jwks.json', '/api/v1/spec', '/docs/errors'].map(
              isPath,
            ),
          },
        },
      }),
      rule(1, 'credential', {
        aggregateKeyType: 'CUSTOM_KEYS',
        limit: 12_000,
        customKeys: [
          {
            header: {
              name: 'authorization',
              textTransformations: [
                { type: 'COMPRESS_WHITE_SPACE', priority: 0 },
                { type: 'LOWERCASE', priority: 1 },
              ],
            },
          },
        ],
      }),
    ],
  })
  expect(ofType('pulumi:providers:aws').find(({ name }) => name === 'EdgeRegion')?.inputs.region).toBe('us-east-1')
  expect(only('aws:cloudfront/distribution:Distribution').inputs.webAclId).toBe(arn('wafv2', name))
})

test('is nowhere unless it is asked for', () => {
  for (const { resources } of [production, own]) {
    expect(resources.filter(({ type }) => /cloudfront|wafv2/.test(type))).toEqual([])
    expect(JSON.stringify(resources)).not.toMatch(/x-edge-secret|EDGE_SECRET_HASHES/)
  }
})
