import { routes } from '../functions/operations/operations.ts'
import { addressHeader, edgeHeader } from '../functions/runtime/edge.ts'
import { type Address, domainArgs } from './api.ts'
import { globalRegion, type Settings } from './settings.ts'
import { globalNameOf } from './stage-names.ts'

/**
 * CloudFront's own policies:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
 */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'

/** `AllViewerExceptHostHeader`: with another host than its own, API Gateway refuses a request. */
const allButHost = 'b689b0a8-53d0-40ab-baf2-68738e2966ac'

const readMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * CloudFront allows POST and DELETE only together with all the others. API Gateway has routes for
 * some of these methods.
 */
const allMethods = [...readMethods, 'PUT', 'POST', 'PATCH', 'DELETE']

/**
 * By default CloudFront caches most of these answers for ten seconds, whatever their headers say:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
 */
const keptErrors = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]

const open = routes.filter(({ access }) => access === 'public')

/**
 * Replaces what the caller sent:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/example-function-add-true-client-ip-header.html
 */
const addAddress = `function handler(event) {
  event.request.headers['${addressHeader}'] = { value: event.viewer.ip }
  return event.request
}`

/** CloudFront with AWS WAF before the API. Returns where clients reach the service. */
export function edge(gateway: sst.aws.ApiGatewayV2, settings: Settings): Address {
  const name = globalNameOf('edge')
  const publicAnswers = new aws.cloudfront.CachePolicy('EdgeCache', {
    name,
    comment: 'What everybody may read, for as long as its Cache-Control says',
    minTtl: 0,
    defaultTtl: 0,
    maxTtl: 86_400,
    parametersInCacheKeyAndForwardedToOrigin: {
      // API Gateway answers each origin with headers of its own, and the functions compress.
      headersConfig: { headerBehavior: 'whitelist', headers: { items: ['Origin'] } },
      cookiesConfig: { cookieBehavior: 'none' },
      queryStringsConfig: { queryStringBehavior: 'none' },
      enableAcceptEncodingGzip: true,
    },
  })
  const address = new aws.cloudfront.Function('EdgeAddress', {
    name,
    runtime: 'cloudfront-js-2.0',
    publish: true,
    code: addAddress,
  })
  const behavior = {
    targetOriginId: 'api',
    viewerProtocolPolicy: 'https-only',
    originRequestPolicyId: allButHost,
    // If CloudFront compressed an answer with a token, its length would tell about the token.
    compress: false,
    functionAssociations: [{ eventType: 'viewer-request', functionArn: address.arn }],
    cachedMethods: ['GET', 'HEAD'],
  }
  const cached = { ...behavior, cachePolicyId: publicAnswers.id, allowedMethods: readMethods }
  const uncached = { ...behavior, cachePolicyId: cachingDisabled, allowedMethods: allMethods }
  const inGlobalRegion = { provider: new aws.Provider('EdgeRegion', { region: globalRegion }) }
  const firewall = firewallOf(name, settings, inGlobalRegion)
  const cdn = new sst.aws.Cdn('Edge', {
    comment: name,
    ...(settings.domain && { domain: domainArgs(settings.domain) }),
    webAclArn: firewall.arn,
    origins: [
      {
        originId: 'api',
        domainName: gateway.nodes.api.apiEndpoint.apply((url) => new URL(url).hostname),
        customHeaders: [{ name: edgeHeader, value: $util.secret(settings.EDGE_SECRET[0] ?? '') }],
        customOriginConfig: {
          httpPort: 80,
          httpsPort: 443,
          originProtocolPolicy: 'https-only',
          originSslProtocols: ['TLSv1.2'],
        },
      },
    ],
    defaultCacheBehavior: uncached,
    orderedCacheBehaviors: open
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => ({ ...cached, pathPattern: path })),
    customErrorResponses: keptErrors.map((errorCode) => ({ errorCode, errorCachingMinTtl: 0 })),
  })
  logs(name, settings, { firewall, distribution: cdn.nodes.distribution }, inGlobalRegion)
  if (!settings.domain) return { url: cdn.url }
  const { viewerCertificate } = cdn.nodes.distribution
  return {
    url: $util.output(`https://${settings.domain.name}`),
    certificate: viewerCertificate.apply(({ acmCertificateArn }) => acmCertificateArn ?? ''),
  }
}

/**
 * API Gateway decodes a path twice, and cuts it at a `?` in between. AWS WAF cannot cut, so a path
 * also matches with a `?` and any text behind it.
 */
const openPath = {
  regexString: `^(${open.map(({ path }) => path.replaceAll('.', '\\.')).join('|')})(\\?|$)`,
  fieldToMatch: { uriPath: {} },
  textTransformations: inOrder('URL_DECODE', 'URL_DECODE'),
}

/**
 * Ten callers at their limits reach the limit of the API. AWS WAF counts the requests of the last
 * minute, for each address or distinct value of a header:
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-aggregation-options.html
 * `address` counts every request, so no spelling of a path and no made-up credential escapes it.
 */
function firewallOf(
  name: $util.Input<string>,
  { RATE_LIMIT, EXCHANGE_RATE_LIMIT }: Settings,
  inGlobalRegion: $util.CustomResourceOptions,
): aws.wafv2.WebAcl {
  const credential = {
    name: 'authorization',
    textTransformations: inOrder('COMPRESS_WHITE_SPACE', 'LOWERCASE'),
  }
  const byAddress = (limit: number) => ({ limit: perMinute(limit), aggregateKeyType: 'IP' })
  const counted = {
    address: byAddress(Math.max(RATE_LIMIT, EXCHANGE_RATE_LIMIT)),
    openRoutes: {
      ...byAddress(EXCHANGE_RATE_LIMIT),
      scopeDownStatement: { regexMatchStatement: openPath },
    },
    credential: {
      limit: perMinute(RATE_LIMIT),
      aggregateKeyType: 'CUSTOM_KEYS',
      customKeys: [{ header: credential }],
    },
  }
  const rules = Object.entries(counted).map(([name, each], priority) => ({
    name,
    priority,
    action: { block: { customResponse: tooManyRequests } },
    statement: { rateBasedStatement: { evaluationWindowSec: 60, ...each } },
    visibilityConfig: visibilityOf(name),
  }))
  return new aws.wafv2.WebAcl(
    'EdgeFirewall',
    {
      name,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      rules,
      customResponseBodies: [tooManyRequestsBody],
      dataProtectionConfig: { dataProtections: secretFields },
      visibilityConfig: visibilityOf(name),
    },
    inGlobalRegion,
  )
}

const tooManyRequestsBody = {
  key: 'too-many-requests',
  contentType: 'APPLICATION_JSON',
  content: '{"message":"Too Many Requests"}',
}

/**
 * The same answer as API Gateway's beyond its limits. Without it AWS WAF would answer 403. AWS WAF
 * counts the requests of a minute, also those that it blocks. So a caller should wait for a minute.
 */
const tooManyRequests = {
  responseCode: 429,
  customResponseBodyKey: tooManyRequestsBody.key,
  responseHeaders: [{ name: 'retry-after', value: '60' }],
}

/** A tenth of the API's limit, but not below what AWS WAF takes. */
const perMinute = (perSecond: number): number => Math.max(10, (perSecond * 60) / 10)

function inOrder(...types: readonly string[]) {
  return types.map((type, priority) => ({ type, priority }))
}

/**
 * What AWS WAF must not write anywhere. Its log has the first 32 characters of a header by which a
 * rule counts. Redacted fields do not hide them:
 * https://docs.aws.amazon.com/waf/latest/APIReference/API_DataProtection.html
 * A page's address, in `referer` and in a query, may have a session id.
 */
const secretFields = [
  { fieldType: 'SINGLE_HEADER', fieldKeys: ['authorization', 'cookie', 'referer'] },
  { fieldType: 'QUERY_STRING' },
].map((field) => ({ action: 'SUBSTITUTION', field }))

/** CloudFront's fields that say what became of a request. None has a query or a header. */
const recordFields = [
  'date',
  'time',
  'c-ip',
  'cs-method',
  'cs-uri-stem',
  'sc-status',
  'time-taken',
  'x-edge-request-id',
  'x-edge-result-type',
  'x-edge-detailed-result-type',
]

type Logged = {
  firewall: aws.wafv2.WebAcl
  distribution: $util.Output<aws.cloudfront.Distribution>
}

/** Logs what AWS WAF blocks, and a line for each request to CloudFront. */
function logs(
  name: $util.Input<string>,
  { logRetentionDays }: Settings,
  { firewall, distribution }: Logged,
  inGlobalRegion: $util.CustomResourceOptions,
): void {
  const retentionInDays = logRetentionDays.access
  const group = (component: string, name: $util.Input<string>) =>
    new aws.cloudwatch.LogGroup(component, { name, retentionInDays }, inGlobalRegion)
  // AWS WAF requires that the name begins so.
  const blocked = group('EdgeBlocked', $interpolate`aws-waf-logs-${name}`)
  const block = { actionCondition: { action: 'BLOCK' } }
  const keep = { behavior: 'KEEP', requirement: 'MEETS_ANY', conditions: [block] }
  const loggingFilter = { defaultBehavior: 'DROP', filters: [keep] }
  new aws.wafv2.WebAclLoggingConfiguration(
    'EdgeBlockedLog',
    { resourceArn: firewall.arn, logDestinationConfigs: [blocked.arn], loggingFilter },
    inGlobalRegion,
  )
  const requests = group('EdgeRequests', $interpolate`/aws/vendedlogs/cloudfront/${name}`)
  const resourceArn = distribution.apply(({ arn }) => arn)
  const source = new aws.cloudwatch.LogDeliverySource(
    'EdgeRequestsSource',
    { name, logType: 'ACCESS_LOGS', resourceArn },
    inGlobalRegion,
  )
  const deliveryDestinationConfiguration = { destinationResourceArn: requests.arn }
  const destination = new aws.cloudwatch.LogDeliveryDestination(
    'EdgeRequestsDestination',
    { name, outputFormat: 'json', deliveryDestinationConfiguration },
    inGlobalRegion,
  )
  new aws.cloudwatch.LogDelivery(
    'EdgeRequestsDelivery',
    {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.arn,
      recordFields,
    },
    inGlobalRegion,
  )
}

/** A sampled request would show its credential. */
const visibilityOf = (metricName: $util.Input<string>) => ({
  metricName,
  cloudwatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
})
