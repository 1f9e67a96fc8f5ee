import { expect } from 'vitest'
import { type Route, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { arn, component, type Stage, testStages } from './suite.ts'

const apiId = 'ApiApiId'
const authorizerName = 'ApiAuthorizerCredentialsAuthorizer'
const isOpen = ({ access }: Route): boolean => ['public', 'embed'].includes(access)

const functionArn = ({ prefix }: Stage, name: string): string =>
  arn('lambda', `function:${prefix}${name}`)

/** With instances that wait, a version of the function is called. */
const calledArn = (stage: Stage, name: string): string =>
  functionArn(stage, name) + (stage.isProvisioned(name) ? ':7' : '')

const ofEachRoute = (suffix: string, one: (route: Route, name: string) => object) =>
  Object.fromEntries(
    routes.map((route) => {
      const name = `ApiRoute${component(route.id)}`
      return [name + suffix, one(route, name)]
    }),
  )

testStages(
  'each route reaches its own function alone, past the authorizer if it has one',
  (stage) => {
    expect(stage.made('apigatewayv2:Route')).toEqual(
      ofEachRoute('Route', (route, name) => ({
        apiId,
        routeKey: routeKeyOf(route),
        target: `integrations/${name}IntegrationId`,
        ...(isOpen(route)
          ? { authorizationType: 'NONE' }
          : { authorizationType: 'CUSTOM', authorizerId: `${authorizerName}Id` }),
      })),
    )
    expect(stage.made('apigatewayv2:Integration')).toEqual(
      ofEachRoute('Integration', ({ id }) => ({
        apiId,
        integrationType: 'AWS_PROXY',
        integrationUri: calledArn(stage, id),
        payloadFormatVersion: '2.0',
      })),
    )
  },
)

testStages('the authorizer decides by credential and route, for 30 seconds', (stage) => {
  const functionPath = `2015-03-31/functions/${calledArn(stage, 'authorizer')}/invocations`
  expect(stage.made('apigatewayv2:Authorizer')).toEqual({
    [authorizerName]: {
      apiId,
      name: stage.sstName(authorizerName),
      authorizerType: 'REQUEST',
      authorizerUri: `arn:aws:apigateway:eu-central-1:lambda:path/${functionPath}`,
      authorizerPayloadFormatVersion: '2.0',
      authorizerResultTtlInSeconds: 30,
      enableSimpleResponses: true,
      identitySources: ['$request.header.Authorization', '$context.routeKey'],
    },
  })
})

testStages(
  'only this API may call the functions, and only its authorizer the authorizer',
  (stage) => {
    const mayCall = (name: string, from: string) => ({
      action: 'lambda:InvokeFunction',
      function: functionArn(stage, name),
      ...(stage.isProvisioned(name) && { qualifier: '7' }),
      principal: 'apigateway.amazonaws.com',
      sourceArn: `arn:aws:execute-api:eu-central-1:123456789012:gateway/${from}`,
    })
    expect(stage.made('lambda:Permission')).toEqual({
      ApiAuthorizerCredentialsPermission: mayCall('authorizer', `authorizers/${authorizerName}Id`),
      ...ofEachRoute('Permissions', ({ id }) => mayCall(id, '*')),
    })
  },
)

testStages(
  'nothing else is reachable: no URL of a function, no bucket, no website',
  ({ resources }) => {
    const reachable = /functionUrl|cloudfront|bucket:Bucket$|bucketPolicy|loadBalancer|restApi/i
    expect(resources.filter(({ type }) => reachable.test(type))).toEqual([])
  },
)

testStages(
  'the stage comes after all routes, as AWS wants for settings of routes',
  ({ resources }) => {
    const routes = resources
      .filter(({ type }) => type === 'aws:apigatewayv2/route:Route')
      .map(({ name }) => name)
    const after = resources.find(({ type }) => type === 'aws:apigatewayv2/stage:Stage')?.after
    expect(after).toEqual(expect.arrayContaining(routes))
  },
)

testStages('requests are limited by route, on every open one too, and are logged', (stage) => {
  const [all, exchange, others] = stage.isOwn
    ? ([3000, 1500, 50] as const)
    : ([2000, 1000, 100] as const)
  const { accessLogSettings, defaultRouteSettings, routeSettings } =
    stage.made('apigatewayv2:Stage').ApiStage ?? {}
  const limit = (rate: number, isMeasured = true) => ({
    throttlingRateLimit: rate,
    throttlingBurstLimit: 2 * rate,
    detailedMetricsEnabled: stage.isMonitored && isMeasured,
  })
  expect(defaultRouteSettings).toEqual(limit(all))
  const ofPageViews = [
    'exchange-session',
    'get-embed-session',
    'end-embed-session',
    'list-embed-workbooks',
  ]
  const measured = ['exchange-session', 'list-embed-workbooks']
  expect(routeSettings).toEqual(
    routes.filter(isOpen).map((route) => ({
      routeKey: routeKeyOf(route),
      ...limit(ofPageViews.includes(route.id) ? exchange : others, measured.includes(route.id)),
    })),
  )
  const log = `/aws/vendedlogs/apis/${stage.sstName('Api')}`
  expect(accessLogSettings.destinationArn).toBe(arn('logs', `log-group:${log}`))
  const retentionInDays = stage.isProduction ? 90 : stage.isMonitored ? 30 : 7
  expect(stage.made('cloudwatch:LogGroup').ApiAccessLog).toEqual({ name: log, retentionInDays })
})

testStages(
  'the access log is JSON of values by their names, none worded by the client',
  ({ made }) => {
    const { format } = made('apigatewayv2:Stage').ApiStage?.accessLogSettings ?? {}
    const fields = JSON.parse(format.replace('$context.status', '"$context.status"'))
    const byAws = /^\$context\.(\w+\.)?\w*(Id|Key|[sS]tatus|Latency|Time|Length|Ip)$/
    for (const [name, value] of Object.entries<string>(fields)) {
      expect(value).toMatch(byAws)
      const path = value.replace(/^\$context\.(authorizer\.|identity\.)?/, '')
      expect(path.replace(/\.(\w)/, (_, first) => first.toUpperCase())).toBe(name)
    }
    const read = ['requestId', 'routeKey', 'accountId', 'decisionId', 'status', 'sourceIp']
    expect(Object.keys(fields)).toEqual(expect.arrayContaining([...read, 'integrationRequestId']))
  },
)

testStages(
  'with a domain the API does not answer at the name of API Gateway',
  ({ made, isProduction }) => {
    expect(made('apigatewayv2:Api').ApiApi?.disableExecuteApiEndpoint).toBe(isProduction)
  },
)

testStages(
  'only pages of the configured origins may call the API, without credentials',
  ({ made, isProduction }) => {
    const corsConfiguration = {
      allowOrigins: ['https://app.example.com', 'https://staging.example.com'],
      allowHeaders: ['authorization', 'content-type'],
      allowMethods: ['GET', 'POST', 'DELETE'],
      exposeHeaders: ['x-request-id', 'apigw-requestid', 'retry-after'],
      maxAge: 300,
    }
    expect(made('apigatewayv2:Api').ApiApi?.corsConfiguration).toEqual(
      isProduction ? corsConfiguration : {},
    )
  },
)

testStages(
  'production has its domain with TLS 1.2, and DNS unless a certificate is given',
  (stage) => {
    const { made, isProduction, isOwn, name } = stage
    const { ApiDomainName } = made('apigatewayv2:DomainName')
    const records = Object.values(made('route53:Record')).map(({ name, type }) => `${type} ${name}`)
    const certificates = Object.keys(made('acm:Certificate'))
    expect(records.sort()).toEqual(
      name === 'production' ? ['A api.example.com', 'AAAA api.example.com', 'CNAME n'] : [],
    )
    expect(certificates).toEqual(name === 'production' ? ['ApiSslCertificate'] : [])
    if (!isProduction) return expect(ApiDomainName).toBeUndefined()
    expect(ApiDomainName).toMatchObject({
      domainName: 'api.example.com',
      domainNameConfiguration: {
        certificateArn: arn('acm', isOwn ? 'certificate/own' : 'ApiSslCertificate'),
        securityPolicy: 'TLS_1_2',
      },
    })
  },
)
