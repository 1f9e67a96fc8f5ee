import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import {
  arn,
  component,
  describe,
  expect,
  isMonitored,
  isProduction,
  named,
  ofType,
  only,
  physicalStage,
  sstName,
  stageNames,
  stages,
  test,
} from './suite.ts'

describe.each(stageNames)('%s', (stage) => {
  const api = only(stage, 'aws:apigatewayv2/api:Api')
  const authorizer = only(stage, 'aws:apigatewayv2/authorizer:Authorizer')
  const gatewayStage = only(stage, 'aws:apigatewayv2/stage:Stage')
  const apiId = `${api.name}Id`
  const functionArn = (name: string) => arn('lambda', `function:embed-access-${physicalStage[stage]}-${name}`)
  /** With instances that wait, a version of the function is called. */
  const hasVersion = (name: string) => stage === 'own' && ['authorizer', 'exchange-session'].includes(name)
  const called = (name: string) => functionArn(name) + (hasVersion(name) ? ':7' : '')

  test('has the routes of the operations and no others', () => {
    const deployed = ofType(stage, 'aws:apigatewayv2/route:Route')
    expect(deployed.map(({ inputs }) => inputs.routeKey).sort()).toEqual(routes.map(routeKeyOf).sort())
    expect(ofType(stage, 'aws:apigatewayv2/integration:Integration')).toHaveLength(routes.length)
  })

  test.each(routes)('$id reaches its own function, past the authorizer if it asks that', (route) => {
    const name = `ApiRoute${component(route.id)}`
    const integration = `${name}Integration`
    expect(named(stage, 'aws:apigatewayv2/route:Route', `${name}Route`).inputs).toEqual({
      apiId,
      routeKey: routeKeyOf(route),
      target: `integrations/${integration}Id`,
      ...(['public', 'embed'].includes(route.access)
        ? { authorizationType: 'NONE' }
        : { authorizationType: 'CUSTOM', authorizerId: `${authorizer.name}Id` }),
    })
    expect(named(stage, 'aws:apigatewayv2/integration:Integration', integration).inputs).toEqual({
      apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: called(route.id),
      payloadFormatVersion: '2.0',
    })
  })

  test('the authorizer decides by credential and route, for 30 seconds', () => {
    expect(authorizer.inputs).toEqual({
      apiId,
      name: sstName(stage, 'ApiAuthorizerCredentialsAuthorizer'),
      authorizerType: 'REQUEST',
      authorizerUri: `arn:aws:apigateway:eu-central-1:lambda:path/2015-03-31/functions/${called('authorizer')}/invocations`,
      authorizerPayloadFormatVersion: '2.0',
      authorizerResultTtlInSeconds: 30,
      enableSimpleResponses: true,
      identitySources: ['$request.header.Authorization', '$context.routeKey'],
    })
  })

  test('only this API may call the functions, and only its authorizer the authorizer', () => {
    const ofThisApi = 'arn:aws:execute-api:eu-central-1:123456789012:gateway'
    const expected = [
      ['authorizer', `${ofThisApi}/authorizers/${authorizer.name}Id`] as const,
      ...routes.map(({ id }) => [id, `${ofThisApi}/*`] as const),
    ].map(([name, sourceArn]) => ({
      action: 'lambda:InvokeFunction',
      function: functionArn(name),
      ...(hasVersion(name) && { qualifier: '7' }),
      principal: 'apigateway.amazonaws.com',
      sourceArn,
    }))
    const byFunction = (a: { function?: string }, b: { function?: string }) =>
      (a.function ?? '') < (b.function ?? '') ? -1 : 1
    const permissions = ofType(stage, 'aws:lambda/permission:Permission').map(({ inputs }) => inputs)
    expect([...permissions].sort(byFunction)).toEqual(expected.sort(byFunction))
  })

  test('nothing else is reachable: no URL of a function, no bucket, no website', () => {
    const reachable = stages[stage].resources.filter(({ type }) =>
      /functionUrl|cloudfront|bucket:Bucket$|bucketPolicy|loadBalancer|restApi/i.test(type),
    )
    expect(reachable).toEqual([])
  })

  test('the stage comes after all routes, as AWS wants for settings of routes', () => {
    expect(gatewayStage.after).toEqual(
      expect.arrayContaining(ofType(stage, 'aws:apigatewayv2/route:Route').map(({ name }) => name)),
    )
  })

  test('requests are limited by route, those of the exchange highest', () => {
    const detailedMetricsEnabled = isMonitored(stage)
    const limit = (rate: number) => ({
      throttlingRateLimit: rate,
      throttlingBurstLimit: 2 * rate,
      detailedMetricsEnabled,
    })
    const [all, exchange, others] = stage === 'own' ? [3000, 1500, 50] : [2000, 1000, 100]
    const { accessLogSettings, ...inputs } = gatewayStage.inputs
    expect(inputs).toEqual({
      apiId,
      name: '$default',
      autoDeploy: true,
      defaultRouteSettings: limit(all as number),
      routeSettings: [
        { routeKey: 'POST /api/v1/embed/session/token', ...limit(exchange as number) },
        { routeKey: 'GET /api/v1/embed/session', ...limit(exchange as number) },
        { routeKey: 'DELETE /api/v1/embed/session', ...limit(exchange as number) },
        { routeKey: 'GET /.well-known/jwks.json', ...limit(others as number) },
        { routeKey: 'GET /api/v1/spec', ...limit(others as number) },
        { routeKey: 'GET /docs/errors', ...limit(others as number) },
      ],
    })
  })

  test('every request is logged as JSON, with nothing in it that the client words', () => {
    const log = named(stage, 'aws:cloudwatch/logGroup:LogGroup', 'ApiAccessLog')
    expect(log.inputs).toEqual({
      name: expect.stringMatching(
        new RegExp(`^/aws/vendedlogs/apis/embed-access-${physicalStage[stage]}-Api-[a-z]{8}$`),
      ),
      retentionInDays: isProduction(stage) ? 90 : isMonitored(stage) ? 30 : 7,
    })
    const { destinationArn, format, ...others } = gatewayStage.inputs.accessLogSettings
    expect([destinationArn, others]).toEqual([arn('logs', `log-group:${log.inputs.name}`), {}])
    const written = format.replace('$context.status', '"$context.status"')
    expect(JSON.parse(written)).toEqual({
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

  test('with a domain the API does not answer at the name of API Gateway', () => {
    expect(api.inputs.disableExecuteApiEndpoint).toBe(isProduction(stage))
  })

  test('pages of the configured origins, and no others, may call it, without credentials', () => {
    const { corsConfiguration, disableExecuteApiEndpoint: _, ...others } = api.inputs
    expect(others).toEqual({ name: sstName(stage, 'ApiApi'), protocolType: 'HTTP' })
    expect(corsConfiguration ?? {}).toEqual(
      isProduction(stage)
        ? {
            allowOrigins: ['https://app.example.com', 'https://staging.example.com'],
            allowHeaders: ['authorization', 'content-type'],
            allowMethods: ['GET', 'POST', 'DELETE'],
            exposeHeaders: ['x-request-id', 'retry-after'],
            maxAge: 300,
          }
        : {},
    )
  })

  test('has its domain with TLS 1.2, or none', () => {
    if (!isProduction(stage)) {
      const ofDomain = /domainName|apiMapping|acm|route53\/record/i
      return expect(stages[stage].resources.filter(({ type }) => ofDomain.test(type))).toEqual([])
    }
    expect(only(stage, 'aws:apigatewayv2/domainName:DomainName').inputs).toEqual({
      domainName: 'api.example.com',
      domainNameConfiguration: {
        certificateArn:
          stage === 'own'
            ? 'arn:aws:acm:eu-central-1:123456789012:certificate/own'
            : 'arn:aws:acm:eu-central-1:123456789012:ApiSslCertificate',
        endpointType: 'REGIONAL',
        securityPolicy: 'TLS_1_2',
      },
    })
    expect(only(stage, 'aws:apigatewayv2/apiMapping:ApiMapping').inputs).toEqual({
      apiId,
      domainName: 'ApiDomainNameId',
      stage: '$default',
    })
  })

  test('makes certificate and records unless there is a certificate', () => {
    const records = ofType(stage, 'aws:route53/record:Record')
    const certificates = stages[stage].resources.filter(({ type }) => type.startsWith('aws:acm/'))
    if (stage !== 'production') return expect([...records, ...certificates]).toEqual([])
    expect(certificates.map(({ inputs }) => inputs)).toEqual([
      { domainName: 'api.example.com', validationMethod: 'DNS', subjectAlternativeNames: [] },
      { certificateArn: arn('acm', 'ApiSslCertificate') },
    ])
    const alias = (type: string) => ({
      name: 'api.example.com',
      type,
      aliases: [{ name: 'target', zoneId: 'zone', evaluateTargetHealth: true }],
      allowOverwrite: true,
    })
    const validation = { name: 'n', type: 'CNAME', records: ['v'], ttl: 60, allowOverwrite: true }
    expect(records.map(({ inputs }) => inputs)).toEqual([validation, alias('A'), alias('AAAA')])
    for (const { retained } of records) expect(retained).toBe(true)
  })
})
