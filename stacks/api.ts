import { authorizerCacheSeconds } from '../functions/http/authorization.ts'
import { crossOrigin } from '../functions/http/headers.ts'
import {
  asksAuthorizer,
  isList,
  type Route,
  routeKeyOf,
  routes,
} from '../functions/operations/operations.ts'
import { addressHeader, edgeHeader } from '../functions/runtime/edge.ts'
import type { Functions } from './functions.ts'
import { componentName } from './names.ts'
import type { Settings } from './settings.ts'

/**
 * A line of the access log is JSON. It has no free text, such as the path or the message of an
 * error: a quotation mark in it would break the line, and the metrics would not count the request.
 * AWS documents no escaped form of such text:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const accessLogFormat = ({ hasEdge }: Settings): string =>
  JSON.stringify({
    requestId: '$context.requestId',
    requestTime: '$context.requestTime',
    routeKey: '$context.routeKey',
    // The caller's account. The authorizer has escaped it for JSON. An open route has none.
    accountId: '$context.authorizer.accountId',
    // The request in which the authorizer decided: this one, or one of the last 30 seconds.
    decisionId: '$context.authorizer.decisionId',
    status: '$context.status',
    responseLatency: '$context.responseLatency',
    integrationLatency: '$context.integrationLatency',
    integrationStatus: '$context.integration.status',
    integrationRequestId: '$context.integration.requestId',
    responseLength: '$context.responseLength',
    // Behind an edge, this is the address of the edge, and the authorizer says the caller's. The
    // access log cannot show a request header.
    sourceIp: '$context.identity.sourceIp',
    ...(hasEdge && { callerIp: '$context.authorizer.callerIp' }),
    // API Gateway writes `-` for a missing value. Only the status is never missing, so only the
    // status is a number.
  }).replace('"$context.status"', '$context.status')

/** The requests of two seconds may come at once. */
const throttling = (perSecond: number) => ({
  throttlingRateLimit: perSecond,
  throttlingBurstLimit: 2 * perSecond,
})

/** Metrics by route cost extra, so an open route has them only if an alarm reads them. */
export const isMeasured = (route: Route): boolean =>
  asksAuthorizer(route) || route.id === 'exchange-session' || isList(route)

/**
 * Each page view calls the exchange once. Callers cache what the public routes answer. A route
 * with settings inherits none from the stage.
 */
const openThrottling = (settings: Settings) =>
  routes
    .filter((route) => !asksAuthorizer(route))
    .map((route) => {
      const byPageView = route.id === 'exchange-session' || route.access === 'embed'
      const perSecond = byPageView ? settings.EXCHANGE_RATE_LIMIT : settings.PUBLIC_RATE_LIMIT
      return {
        routeKey: routeKeyOf(route),
        ...throttling(perSecond),
        detailedMetricsEnabled: settings.monitored && isMeasured(route),
      }
    })

/**
 * Makes the HTTP API, and returns a function that adds its routes later: the routes need the
 * functions, and the functions need the URL of the API.
 */
export function api(settings: Settings) {
  const routesMade = Promise.withResolvers<$util.Output<aws.apigatewayv2.Route>[]>()
  // Behind an edge, the edge has the domain.
  const domain = settings.hasEdge ? undefined : settings.domain
  const gateway = new sst.aws.ApiGatewayV2('Api', {
    ...(domain && { domain: domainArgs(domain) }),
    cors: settings.CORS_ORIGINS.length > 0 && {
      allowOrigins: [...settings.CORS_ORIGINS],
      allowMethods: [...crossOrigin.methods],
      allowHeaders: [...crossOrigin.headers],
      exposeHeaders: [...crossOrigin.exposedHeaders],
      maxAge: `${crossOrigin.maxAgeSeconds} seconds`,
    },
    transform: {
      // Otherwise callers could use API Gateway's own name, and bypass what stands before the
      // domain.
      api: { disableExecuteApiEndpoint: domain !== undefined },
      logGroup: { retentionInDays: settings.logRetentionDays.access },
      stage: (stage, options) => {
        stage.accessLogSettings = $util.output(stage.accessLogSettings).apply((log) => ({
          destinationArn: log?.destinationArn ?? '',
          format: accessLogFormat(settings),
        }))
        stage.defaultRouteSettings = {
          ...throttling(settings.RATE_LIMIT),
          detailedMetricsEnabled: settings.monitored,
        }
        stage.routeSettings = openThrottling(settings)
        // AWS refuses settings of routes that do not exist yet, and SST makes the stage first
        // (anomalyco/sst#4501).
        options.dependsOn = routesMade.promise
      },
    },
  })
  const serve = (functions: Functions): void => {
    const authorizer = gateway.addAuthorizer({
      name: 'Credentials',
      lambda: {
        function: arnOf('authorizer', functions),
        ttl: `${authorizerCacheSeconds} seconds`,
        // API Gateway reuses an answer of the authorizer for the same values of these. With the
        // credential alone, an allow for one route would open the routes of admins.
        identitySources: [
          '$request.header.Authorization',
          '$context.routeKey',
          // A caller who bypasses the edge is refused. That refusal must not count for callers who
          // come through it, and the address of one caller must not count for another.
          ...(settings.hasEdge
            ? [`$request.header.${edgeHeader}`, `$request.header.${addressHeader}`]
            : []),
        ],
      },
    })
    const made = routes.map((route) =>
      gateway.route(routeKeyOf(route), arnOf(route.id, functions), {
        name: componentName(route.id),
        auth: asksAuthorizer(route) && { lambda: authorizer.id },
        transform: {
          route: (_, options) => {
            // SST makes the route once it knows the id, so Pulumi does not see that the route needs
            // the authorizer. It would delete the authorizer first, which API Gateway refuses while
            // a route refers to it.
            options.dependsOn = authorizer
          },
        },
      }),
    )
    routesMade.resolve(made.map(({ nodes }) => nodes.route))
  }
  return { gateway, serve }
}

/** Where clients reach the service. The URL is also the issuer of the tokens. */
export type Address = {
  url: $util.Output<string>
  certificate?: $util.Output<string>
}

export const addressOf = ({ nodes }: sst.aws.ApiGatewayV2, { domain }: Settings): Address =>
  domain
    ? {
        url: $util.output(`https://${domain.name}`),
        certificate: nodes.domainName.domainNameConfiguration.certificateArn,
      }
    : { url: nodes.api.apiEndpoint }

function arnOf(name: string, functions: Functions): $util.Output<string> {
  // Provisioned instances belong to a version, and only answer calls of that version.
  const { publish, arn, qualifiedArn } = (functions[name] as sst.aws.Function).nodes.function
  return publish.apply((hasVersions) => (hasVersions ? qualifiedArn : arn))
}

/**
 * With a given certificate, DNS is up to the operator too. Otherwise SST makes both in Route 53.
 */
export const domainArgs = ({ name, certificateArn }: NonNullable<Settings['domain']>) =>
  certificateArn
    ? { name, dns: false as const, cert: certificateArn }
    : { name, dns: sst.aws.dns({ override: true, transform: { record: keepRecord } }) }

/**
 * Keeps the DNS records when the resource that made them is removed. An edge, the API without its
 * edge, or a deployment in another region may have taken the records over. The provider would
 * delete them all the same, because it knows only their name and type.
 */
const keepRecord = (_: unknown, options: $util.CustomResourceOptions): undefined => {
  options.retainOnDelete = true
}
