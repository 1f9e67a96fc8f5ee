import type { IncomingMessage, RequestListener } from 'node:http'
import { inspect } from 'node:util'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { type AuthorizerOptions, createAuthorize } from './authorize.ts'
import { describeRequest, encodeBody } from './event.ts'
import { invoke } from './invoke.ts'
import { corsHeaders, gatewayReply, type Reply, replyTo } from './reply.ts'
import { parseRequestTarget, readBody, sizeOfRequestLineAndHeaderValues } from './request.ts'
import { newRequestId } from './server.ts'

export type GatewayRoute = {
  /** `GET /a/{b}` */
  routeKey: string
  handler: (
    event: APIGatewayProxyEventV2,
    context: Context,
  ) => Promise<APIGatewayProxyStructuredResultV2>
  authorized: boolean
  timeoutSeconds: number
}

export type GatewayOptions = AuthorizerOptions & {
  routes: readonly GatewayRoute[]
  /** The origins whose pages may call. `*` for all. */
  corsOrigins: readonly string[]
}

const requestLineAndHeaderValuesLimit = 10_240

const noContent: Reply = { status: 204, headers: {}, body: Buffer.alloc(0) }

/** An event can be too large for Lambda although the gateway took the body. */
const statusOfFailure = {
  threw: 500,
  'timed out': 503,
  'event too large': 413,
  'result too large': 500,
}

/**
 * API Gateway's HTTP API, payload format 2.0, with a Lambda REQUEST authorizer that gives simple
 * responses.
 */
export function createGateway(options: GatewayOptions): RequestListener {
  const { corsOrigins, now, log } = options
  const routes = options.routes.map((route) => ({ ...route, pattern: patternOf(route.routeKey) }))
  const authorize = createAuthorize(options)

  async function answer(request: IncomingMessage, requestId: string, receivedAt: number) {
    const { method, url = '' } = request
    if (sizeOfRequestLineAndHeaderValues(request) > requestLineAndHeaderValuesLimit)
      return gatewayReply(431)
    const target = parseRequestTarget(url)
    if (target === undefined) return gatewayReply(400)

    const asked = `${method} ${target.path}`
    const route = routes.find(({ pattern }) => pattern.test(asked))
    // Any OPTIONS request that no route takes is a preflight.
    if (!route) return method === 'OPTIONS' ? noContent : gatewayReply(404)
    const { routeKey, pattern, handler, authorized, timeoutSeconds } = route
    const pathParameters = pattern.exec(asked)?.groups

    const body = await readBody(request)
    if (body === undefined) return gatewayReply(413)

    const arrived = { request, target, requestId, receivedAt, bodyLength: body.length }
    const described = describeRequest({ ...arrived, routeKey, pathParameters })
    const authorization = authorized ? await authorize(described) : undefined
    if (authorization?.status) return gatewayReply(authorization.status)

    const authorizer = authorization && { lambda: authorization.context }
    const { payload, failure } = await invoke({
      functionName: routeKey.replace(/[^A-Za-z0-9]+/g, '-'),
      run: handler,
      event: {
        ...described,
        requestContext: { ...described.requestContext, authorizer },
        ...encodeBody(body, described.headers['content-type']),
      },
      timeoutMs: timeoutSeconds * 1000,
      log,
    })
    return failure ? gatewayReply(statusOfFailure[failure]) : replyTo(payload)
  }

  return async (request, response) => {
    const requestId = newRequestId()
    const receivedAt = now()
    const { status, headers, body } = await answer(request, requestId, receivedAt).catch(
      (error: unknown) => {
        if (!request.errored) log(`gateway failed: ${inspect(error)}`)
        return gatewayReply(500)
      },
    )
    // The client is gone.
    if (request.errored) return
    // The rest of the body is not wanted, and may never end.
    if (status === 413) response.shouldKeepAlive = false
    const length = status !== 204 && { 'content-length': String(body.length) }
    const sent = {
      ...headers,
      ...length,
      ...corsHeaders(request, corsOrigins),
      'apigw-requestid': requestId,
    }
    response.setHeaders(new Map(Object.entries(sent)))
    response.writeHead(status).end(body)
    const path = request.url?.split('?', 1)[0]
    log(`${request.method} ${path} ${status} ${now() - receivedAt}ms ${requestId}`)
  }
}

/**
 * Matches the method and path of a request. No two routes match the same request. A variable does
 * not match an empty segment, such as the one after a trailing slash.
 */
const patternOf = (routeKey: string): RegExp =>
  new RegExp(`^${routeKey.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
