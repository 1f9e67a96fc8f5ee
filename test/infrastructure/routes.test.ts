import { expect } from 'vitest'
import { type Route, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { arn, component, type Stage, testStages } from './suite.ts'

const apiId = 'ApiApiId'
const authorizerName = 'ApiAuthorizerCredentialsAuthorizer'

const functionArn = ({ prefix }: Stage, name: string): string => arn('lambda', `function:${prefix}${name}`)

/** With instances that wait, a version of the function is called. */
const versionOf = ({ isOwn }: Stage, name: string): '7' | undefined =>
  isOwn && ['authorizer', 'exchange-session'].includes(name) ? '7' : undefined

const calledArn = (stage: Stage, name: string): string => {
  const version = versionOf(stage, name)
  return functionArn(stage, name) + (version ? `:${version}` : '')
}

const ofEachRoute = (suffix: string, one: (route: Route, name: string) => object) =>
  Object.fromEntries(
    routes.map((route) => {
      const name = `ApiRoute${component(route.id)}`
      return [name + suffix, one(route, name)]
    }),
  )

testStages('each route reaches its own function alone, past the authorizer if it has one', (stage) => {
  expect(stage.made('apigatewayv2:Route')).toEqual(
    ofEachRoute('Route', (route, name) => ({
      apiId,
      routeKey: routeKeyOf(route),
      target: `integrations/${name}IntegrationId`,
      ...(['public', 'embed'].includes(route.access)
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
})

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

testStages('only this API may call the functions, and only its authorizer the authorizer', (stage) => {
  const mayCall = (name: string, from: string) => ({
    action: 'lambda:InvokeFunction',
    function: functionArn(stage, name),
    qualifier: versionOf(stage, name),
    principal: 'apigateway.amazonaws.com',
    sourceArn: `arn:aws:execute-api:eu-central-1:123456789012:gateway/${from}`,
  })
  expect(stage.made('lambda:Permission')).toEqual({
    ApiAuthorizerCredentialsPermission: mayCall('authorizer', `authorizers/${authorizerName}Id`),
    ...ofEachRoute('Permissions', ({ id }) => mayCall(id, '*')),
  })
})

testStages('nothing else is reachable: no URL of a function, no bucket, no website', ({ resources }) => {
  const reachable = /functionUrl|cloudfront|bucket:Bucket$|bucketPolicy|loadBalancer|restApi/i
  expect(resources.filter(({ type }) => reachable.test(type))).toEqual([])
})

testStages('the stage comes after all routes, as AWS wants for settings of routes', ({ resources }) => {
  const routes = resources.filter(({ type }) => type === 'aws:apigatewayv2/route:Route').map(({ name }) => name)
  const after = resources.find(({ type }) => type === 'aws:apigatewayv2/stage:Stage')?.after
  expect(after).toEqual(expect.arrayContaining(routes))
})

testStages('requests are limited by route, those of the exchange highest, and are logged', (stage) => {
  const limit = (rate: number, routeKey?: string) => ({
    routeKey,
    throttlingRateLimit: rate,
    throttlingBurstLimit: 2 * rate,
    detailedMetricsEnabled: stage.isMonitored,
  })
  const [all, exchange, others] = stage.isOwn ? ([3000, 1500, 50] as const) : ([2000, 1000, 100] as const)
  const log = `/aws/vendedlogs/apis/${stage.sstName('Api')}`
  expect(stage.made('apigatewayv2:Stage')).toEqual({
    ApiStage: {
      apiId,
      name: '$default',
      autoDeploy: true,
      accessLogSettings: { destinationArn: arn('logs', `log-group:${log}`), format: expect.any(String) },
      defaultRouteSettings: limit(all),
      routeSettings: [
        limit(exchange, 'POST /api/v1/embed/session/token'),
        limit(exchange, 'GET /api/v1/embed/session'),
        limit(exchange, 'DELETE /api/v1/embed/session'),
        limit(others, 'GET /.well-known/jwks.json'),
        limit(others, 'GET /api/v1/spec'),
        limit(others, 'GET /docs/errors'),
      ],
    },
  })
  const retentionInDays = stage.isProduction ? 90 : stage.isMonitored ? 30 : 7
  expect(stage.made('cloudwatch:LogGroup').ApiAccessLog).toEqual({ name: log, retentionInDays })
})

testStages('a line of the access log is JSON, with nothing in it that the client words', ({ made }) => {
  const { format } = made('apigatewayv2:Stage').ApiStage?.accessLogSettings ?? {}
  expect(JSON.parse(format.replace('$context.status', '"$context.status"'))).toEqual({
    requestId: '$context.requestId',
    requestTime: '$context.requestTime',
    routeKey: '$context.routeKey',
    accountId: '$context.authorizer.accountId',
    status: '$context.status',
    responseLatency: '$context.responseLatency',
    integrationLatency: '$context.integrationLatency',
    integrationStatus: '$context.integration.status',
    integrationRequestId: '$context.integration.requestId',
    responseLength: '$context.responseLength',
    sourceIp: '$context.identity.sourceIp',
  })
})

testStages('with a domain the API does not answer at the name of API Gateway', ({ made, isProduction }) => {
  expect(made('apigatewayv2:Api').ApiApi?.disableExecuteApiEndpoint).toBe(isProduction)
})

testStages('only pages of the configured origins may call the API, without credentials', (stage) => {
  const corsConfiguration = {
    allowOrigins: ['https://app.example.com', 'https://staging.example.com'],
    allowHeaders: ['authorization', 'content-type'],
    allowMethods: ['GET', 'POST', 'DELETE'],
    exposeHeaders: ['x-request-id', 'retry-after'],
    maxAge: 300,
  }
  expect(stage.made('apigatewayv2:Api')).toEqual({
    ApiApi: {
      name: stage.sstName('ApiApi'),
      protocolType: 'HTTP',
      disableExecuteApiEndpoint: expect.any(Boolean),
      corsConfiguration: stage.isProduction ? corsConfiguration : {},
    },
  })
})

testStages('production has its domain with TLS 1.2', ({ made, isProduction, isOwn }) => {
  const domainNameConfiguration = {
    certificateArn: arn('acm', isOwn ? 'certificate/own' : 'ApiSslCertificate'),
    endpointType: 'REGIONAL',
    securityPolicy: 'TLS_1_2',
  }
  expect([made('apigatewayv2:DomainName'), made('apigatewayv2:ApiMapping')]).toEqual(
    isProduction
      ? [
          { ApiDomainName: { domainName: 'api.example.com', domainNameConfiguration } },
          { ApiDomainMapping: { apiId, domainName: 'ApiDomainNameId', stage: '$default' } },
        ]
      : [{}, {}],
  )
})

testStages('certificate and DNS records are made for a domain that has no certificate', ({ made, name }) => {
  const alias = (type: string) => ({
    name: 'api.example.com',
    type,
    aliases: [{ name: 'target', zoneId: 'zone', evaluateTargetHealth: true }],
    allowOverwrite: true,
  })
  const certificate = { domainName: 'api.example.com', validationMethod: 'DNS', subjectAlternativeNames: [] }
  const found = ['acm:Certificate', 'acm:CertificateValidation', 'route53:Record'].map(made)
  if (name !== 'production') return expect(found).toEqual([{}, {}, {}])
  expect(found).toEqual([
    { ApiSslCertificate: certificate },
    { ApiSslValidation: { certificateArn: arn('acm', 'ApiSslCertificate') } },
    {
      ApiSslCNAMERecordN: { name: 'n', type: 'CNAME', records: ['v'], ttl: 60, allowOverwrite: true },
      ApiARecordApiexamplecom: alias('A'),
      ApiAAAARecordApiexamplecom: alias('AAAA'),
    },
  ])
})
