import { authorizerCacheSeconds } from '../functions/http/authorization.ts'
import { crossOrigin } from '../functions/http/headers.ts'
import { type Route, routeKeyOf, routes } from '../functions/operations/operations.ts'
import { accessLogFormat } from './access-log.ts'
import { componentName, type Functions } from './functions.ts'
import { logRetentionDays } from './retention.ts'
import type { Settings } from './settings.ts'
import { defaultThrottling, publicThrottling } from './throttling.ts'

export type Api = {
  readonly gateway: sst.aws.ApiGatewayV2
  /** Makes the routes to the functions. */
  serve(functions: Functions): void
}

/**
 * API Gateway reuses an answer of the authorizer for the same credential and route. With the credential alone, an allow
 * for one route would open the routes of admins.
 */
const authorizerCache = {
  ttl: `${authorizerCacheSeconds} seconds` as const,
  identitySources: ['$request.header.Authorization', '$context.routeKey'],
}

/** The HTTP API without its routes. Routes need the functions, and the functions need the URL of the API. */
export function api(settings: Settings): Api {
  const { promise: served, resolve: servedBy } = deferred<$util.Output<aws.apigatewayv2.Route>[]>()
  const gateway = new sst.aws.ApiGatewayV2('Api', {
    ...(settings.domain && { domain: domainArgs(settings.domain) }),
    cors: settings.corsOrigins.length > 0 && {
      allowOrigins: [...settings.corsOrigins],
      allowMethods: [...crossOrigin.methods],
      allowHeaders: [...crossOrigin.headers],
      exposeHeaders: [...crossOrigin.exposedHeaders],
      maxAge: `${crossOrigin.maxAgeSeconds} seconds`,
    },
    transform: {
      // Beside its domain the API would answer at API Gateway's name too, past whatever stands before the domain.
      api: { disableExecuteApiEndpoint: settings.domain !== undefined },
      logGroup: { retentionInDays: logRetentionDays(settings) },
      stage: (stage, options) => {
        stage.accessLogSettings = $util.output(stage.accessLogSettings).apply((log) => ({
          destinationArn: log?.destinationArn ?? '',
          format: accessLogFormat,
        }))
        stage.defaultRouteSettings = defaultThrottling(settings)
        stage.routeSettings = publicThrottling(routes, settings)
        // AWS refuses settings of routes that do not exist yet, and SST makes the stage first (anomalyco/sst#4501).
        options.dependsOn = served
        return undefined
      },
    },
  })
  return {
    gateway,
    serve(functions) {
      const authorizer = gateway.addAuthorizer({
        name: 'Credentials',
        lambda: { function: arnOf('authorizer', functions), ...authorizerCache },
      })
      servedBy(routes.map((route) => routeTo(route, gateway, functions, authorizer).nodes.route))
    },
  }
}

/** The URL where clients reach the service. It is also the issuer of the tokens. */
export const serviceUrl = ({ gateway }: Api, { domain }: Settings): $util.Output<string> =>
  domain ? $util.output(`https://${domain.name}`) : gateway.nodes.api.apiEndpoint

function routeTo(
  route: Route,
  gateway: sst.aws.ApiGatewayV2,
  functions: Functions,
  authorizer: { id: $util.Output<string> },
) {
  return gateway.route(routeKeyOf(route), arnOf(route.id, functions), {
    name: componentName(route.id),
    auth: route.access !== 'public' && { lambda: authorizer.id },
  })
}

function arnOf(name: string, functions: Functions): $util.Output<string> {
  const found = functions[name]
  if (!found) throw new Error(`functions/operations/lambdas.ts has no function ${name}.`)
  return found.arn
}

/** With a given certificate, DNS is up to the operator too. Otherwise SST makes both in Route 53. */
const domainArgs = ({ name, certificateArn }: NonNullable<Settings['domain']>) =>
  certificateArn
    ? { name, dns: false as const, cert: certificateArn }
    : { name, dns: sst.aws.dns({ override: true, transform: { record: keepRecord } }) }

/**
 * A deployment in another region takes the records over, and removing the old stage leaves them: they are the new one's.
 */
const keepRecord = (_: unknown, options: $util.CustomResourceOptions): undefined => {
  options.retainOnDelete = $app.stage === 'production'
}

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
