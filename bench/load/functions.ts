import { randomUUID } from 'node:crypto'
import { currentPublicKeys, currentSigner } from '@embed-access/core/sessions/stored-keys.ts'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda'
import { create as createAuthorizer } from '../../functions/authorizer.ts'
import type { HttpHandler } from '../../functions/http/endpoint.ts'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import type { Runtime } from '../../functions/runtime/runtime.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { deployment, tenant } from '../catalog.ts'
import { issuer } from './catalog.ts'
import { bodyOf, serverOf, serveSide } from './serve-side.ts'

/*
 * The authorizer and the functions behind a bare server in place of the local gateway: what is deployed, without the
 * emulation of API Gateway and Lambda. It knows only the paths of this benchmark.
 */

serveSide(async ({ endpoint, tables }: { readonly endpoint: string; readonly tables: Storage['tables'] }) => {
  const storage = connect(tables, endpoint)
  const runtime: Runtime = {
    storage,
    now: Date.now,
    log: (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
    issuer,
    issuance: { issuer, audience: issuer, ...defaultLimits },
    signer: currentSigner(storage, Date.now),
    verificationKeys: currentPublicKeys(storage, Date.now),
  }
  const authorizer = createAuthorizer(runtime)
  const pathParameters = { deploymentId: String(deployment), embedTenantName: tenant }
  const byRoute = new Map<string, { handler: HttpHandler; routeKey: string; isPublic: boolean }>()
  for (const route of routes) {
    const { create } = (await import(`../../functions/${route.id}.ts`)) as { create(runtime: Runtime): HttpHandler }
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof pathParameters) => pathParameters[name])
    const routeKey = routeKeyOf(route)
    byRoute.set(`${route.method} ${path}`, { handler: create(runtime), routeKey, isPublic: route.access === 'public' })
  }

  return serverOf(async (request, response) => {
    const { handler, routeKey, isPublic } = byRoute.get(`${request.method} ${request.url}`) as NonNullable<
      ReturnType<(typeof byRoute)['get']>
    >
    const requestContext = { requestId: randomUUID(), http: { sourceIp: '127.0.0.1' } }
    const event = { routeKey, headers: request.headers, pathParameters, requestContext, rawQueryString: '' }
    const decision = isPublic
      ? undefined
      : await authorizer(event as unknown as APIGatewayRequestAuthorizerEventV2, context)
    const { statusCode, headers, body } = await handler(
      {
        ...event,
        requestContext: { ...requestContext, authorizer: { lambda: decision?.context } },
        ...(request.method === 'POST' && { body: await bodyOf(request) }),
      } as unknown as APIGatewayProxyEventV2,
      context,
    )
    const length = body && { 'content-length': Buffer.byteLength(body) }
    response.writeHead(statusCode as number, { ...(headers as Record<string, string>), ...length }).end(body)
  })
})

const context = { getRemainingTimeInMillis: () => 15_000 } as Context
