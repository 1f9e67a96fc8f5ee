import { randomUUID } from 'node:crypto'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { APIGatewayProxyEventV2, APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda'
import { handler as authorizerHandler } from '../../functions/authorizer.ts'
import type { HttpHandler, OperationHandler } from '../../functions/http/operation.ts'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import type { LogEntry } from '../../functions/runtime/runtime.ts'
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
  const runtime = {
    storage,
    now: Date.now,
    log: (entry: LogEntry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
    issuer,
    issuance: { issuer, audience: issuer, ...defaultLimits },
  }
  const authorizer = authorizerHandler.create(runtime)
  const pathParameters = { deploymentId: String(deployment), embedTenantName: tenant }
  const byRoute = new Map<string, { handler: HttpHandler; routeKey: string; isPublic: boolean }>()
  for (const route of routes) {
    const { handler } = (await import(`../../functions/${route.id}.ts`)) as { handler: OperationHandler }
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof pathParameters) => pathParameters[name])
    const routeKey = routeKeyOf(route)
    byRoute.set(`${route.method} ${path}`, {
      handler: handler.create(runtime),
      routeKey,
      isPublic: route.access === 'public',
    })
  }

  return serverOf(async (request, response) => {
    const { handler, routeKey, isPublic } = byRoute.get(`${request.method} ${request.url}`) as NonNullable<
      ReturnType<(typeof byRoute)['get']>
    >
    const requestContext = { requestId: randomUUID(), http: { sourceIp: '127.0.0.1' } }
    const event = { routeKey, headers: request.headers, pathParameters, requestContext, rawQueryString: '' }
    const decision = isPublic
      ? undefined
      : await authorizer(event as unknown as APIGatewayRequestAuthorizerEventV2, newContext())
    const { statusCode, headers, body } = await handler(
      {
        ...event,
        requestContext: { ...requestContext, authorizer: { lambda: decision?.context } },
        ...(request.method === 'POST' && { body: await bodyOf(request) }),
      } as unknown as APIGatewayProxyEventV2,
      newContext(),
    )
    const length = body && { 'content-length': Buffer.byteLength(body) }
    response.writeHead(statusCode as number, { ...(headers as Record<string, string>), ...length }).end(body)
  })
})

const newContext = () => ({ getRemainingTimeInMillis: () => 15_000 }) as Context
