import { describe, expect, inject, test } from 'vitest'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { type Evaluation, ofType, type Resource } from './evaluate.ts'

const stages = { production: inject('production'), preview: inject('preview') }

const only = (evaluation: Evaluation, type: string): Resource => {
  const found = ofType(evaluation, type)
  expect(found).toHaveLength(1)
  return found[0] as Resource
}

/** The name of the function behind an ARN, without its application and stage. */
const functionIn = (arn: string): string =>
  arn.replace(/^.*:function:embed-access-(production|pr-7)-/, '').split('/')[0] ?? ''

describe.each(Object.entries(stages))('%s', (stage, evaluation) => {
  const deployed = ofType(evaluation, 'aws:apigatewayv2/route:Route').map(({ inputs }) => inputs)
  const integrations = ofType(evaluation, 'aws:apigatewayv2/integration:Integration')
  const authorizer = only(evaluation, 'aws:apigatewayv2/authorizer:Authorizer')
  const gatewayStage = only(evaluation, 'aws:apigatewayv2/stage:Stage')

  test('has the routes of the operations and no others', () => {
    expect(deployed.map(({ routeKey }) => routeKey).sort()).toEqual(routes.map(routeKeyOf).sort())
  })

  test.each(routes)('$id reaches its own function, past the authorizer unless it is public', (route) => {
    const { target, authorizationType, authorizerId } =
      deployed.find(({ routeKey }) => routeKey === routeKeyOf(route)) ?? {}
    const integration = integrations.find(({ name }) => target === `integrations/${name}Id`)
    expect(functionIn(integration?.inputs.integrationUri)).toBe(route.id)
    expect(integration?.inputs).toMatchObject({ integrationType: 'AWS_PROXY', payloadFormatVersion: '2.0' })
    expect({ authorizationType, authorizerId }).toEqual(
      route.access === 'public'
        ? { authorizationType: 'NONE', authorizerId: undefined }
        : { authorizationType: 'CUSTOM', authorizerId: `${authorizer.name}Id` },
    )
  })

  test('the authorizer decides by credential and route, for a short time', () => {
    const { authorizerUri, authorizerResultTtlInSeconds, ...inputs } = authorizer.inputs
    expect(inputs).toMatchObject({
      authorizerType: 'REQUEST',
      authorizerPayloadFormatVersion: '2.0',
      enableSimpleResponses: true,
      identitySources: ['$request.header.Authorization', '$context.routeKey'],
    })
    expect(functionIn(authorizerUri)).toBe('authorizer')
    expect(authorizerResultTtlInSeconds).toBeGreaterThan(0)
    expect(authorizerResultTtlInSeconds).toBeLessThanOrEqual(60)
  })

  test('only this API may call the functions, and only the authorizer of this API the authorizer', () => {
    const permissions = ofType(evaluation, 'aws:lambda/permission:Permission').map(({ inputs }) => inputs)
    expect(permissions.map((permission) => functionIn(permission.function)).sort()).toEqual(
      ['authorizer', ...routes.map(({ id }) => id)].sort(),
    )
    for (const { action, principal, sourceArn, function: called } of permissions) {
      expect({ action, principal }).toEqual({ action: 'lambda:InvokeFunction', principal: 'apigateway.amazonaws.com' })
      const ofThisApi = 'arn:aws:execute-api:eu-central-1:123456789012:gateway'
      expect(sourceArn).toBe(
        functionIn(called) === 'authorizer' ? `${ofThisApi}/authorizers/${authorizer.name}Id` : `${ofThisApi}/*`,
      )
    }
  })

  test('nothing else is reachable: no function has a URL of its own, no bucket or website is made', () => {
    const reachable = evaluation.resources.filter(({ type }) =>
      /functionUrl|cloudfront|bucket:Bucket$|bucketPolicy|loadBalancer|restApi/i.test(type),
    )
    expect(reachable).toEqual([])
    expect(ofType(evaluation, 'aws:apigatewayv2/api:Api')).toHaveLength(1)
  })

  test('the stage comes after all routes, as AWS wants for settings of routes', () => {
    expect(gatewayStage.after).toEqual(
      expect.arrayContaining(ofType(evaluation, 'aws:apigatewayv2/route:Route').map(({ name }) => name)),
    )
  })

  test('requests are limited, those of the public routes lower', () => {
    const { defaultRouteSettings: all, routeSettings } = gatewayStage.inputs
    expect(routeSettings.map(({ routeKey }: Resource['inputs']) => routeKey).sort()).toEqual(
      routes
        .filter(({ access }) => access === 'public')
        .map(routeKeyOf)
        .sort(),
    )
    expect(all.throttlingRateLimit).toBeGreaterThan(0)
    for (const { throttlingRateLimit, throttlingBurstLimit } of routeSettings) {
      expect(throttlingRateLimit).toBeGreaterThan(0)
      expect(throttlingRateLimit).toBeLessThan(all.throttlingRateLimit)
      expect(throttlingBurstLimit).toBeLessThan(all.throttlingBurstLimit)
    }
  })

  test('every request is logged as JSON, with nothing in it that the client words', () => {
    const { destinationArn, format } = gatewayStage.inputs.accessLogSettings
    const log = ofType(evaluation, 'aws:cloudwatch/logGroup:LogGroup').find(({ name }) => name === 'ApiAccessLog')
    expect(destinationArn).toContain(log?.inputs.name)
    const written = format.replaceAll('$context.status', '200').replaceAll(/\$context\.[\w.]+/g, '-')
    expect(JSON.parse(written)).toMatchObject({ status: 200, routeKey: '-', requestId: '-', sourceIp: '-' })
    expect(format).not.toMatch(/userAgent|\.path|protocol|domainName|\.authorizer\.error|integrationErrorMessage/)
  })

  test('pages of the configured origins, and no others, may call it, without credentials', () => {
    const { corsConfiguration } = only(evaluation, 'aws:apigatewayv2/api:Api').inputs
    if (stage === 'preview') return expect(corsConfiguration ?? {}).toEqual({})
    expect(corsConfiguration).toMatchObject({
      allowOrigins: ['https://app.example.com', 'https://staging.example.com'],
      allowHeaders: ['content-type'],
      allowMethods: ['GET', 'POST'],
    })
    expect(corsConfiguration.allowCredentials).not.toBe(true)
  })
})

test('with a domain the API does not answer at the name that API Gateway gives it; without one it does', () => {
  const isDisabled = (evaluation: Evaluation) =>
    only(evaluation, 'aws:apigatewayv2/api:Api').inputs.disableExecuteApiEndpoint
  expect([isDisabled(stages.production), isDisabled(stages.preview)]).toEqual([true, false])
})

test('production has its domain, with TLS 1.2 and a mapping to the stage; a preview has none', () => {
  const { domainName, domainNameConfiguration } = only(
    stages.production,
    'aws:apigatewayv2/domainName:DomainName',
  ).inputs
  expect(domainName).toBe('api.example.com')
  expect(domainNameConfiguration).toMatchObject({ securityPolicy: 'TLS_1_2', endpointType: 'REGIONAL' })
  expect(only(stages.production, 'aws:apigatewayv2/apiMapping:ApiMapping').inputs.stage).toBe('$default')
  expect(ofType(stages.preview, 'aws:apigatewayv2/domainName:DomainName')).toEqual([])
})
