import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { type Authorizer, createAuthorize, describeError } from './authorize.ts'
import { type CorsConfiguration, preflightReply, withCorsHeaders } from './cors.ts'
import { describeRequest, newRequestId } from './event.ts'
import { invoke } from './invoke.ts'
import { parseRequestTarget, sizeOfRequestLineAndHeaderValues } from './request.ts'
import { encodeBody, readBody } from './request-body.ts'
import { gatewayReply, type Reply, replyToOutcome } from './response.ts'
import { createRouteMatcher } from './route-match.ts'
import { answerUnparsableRequest } from './unparsable-request.ts'

export type { Authorizer, CorsConfiguration }

export type GatewayRoute = {
  /** `GET /a/{b}` */
  readonly routeKey: string
  readonly handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>
  readonly authorized: boolean
  /** The function's own time limit. Left out: as long as API Gateway waits. */
  readonly timeoutSeconds?: number
}

export type GatewayOptions = {
  readonly routes: readonly GatewayRoute[]
  readonly authorizer: Authorizer
  /** Left out: as long as API Gateway waits. */
  readonly authorizerTimeoutSeconds?: number
  /** How long a decision of the authorizer is reused for its Authorization header and route. 0, the default: not at all. */
  readonly authorizerCacheSeconds?: number
  readonly cors?: CorsConfiguration
  readonly now?: () => number
  readonly log?: (line: string) => void
}

/** How long API Gateway waits for a function, and for one that is its authorizer. */
const MAX_SECONDS = { integration: 30, authorizer: 10 }
const REQUEST_LINE_AND_HEADER_VALUES_LIMIT = 10_240
const BODY_LIMIT = 10 * 1024 * 1024
// Node counts header names too, AWS does not: room for them, so that our own count decides.
const NODE_HEADER_LIMIT = 64 * 1024

/** API Gateway's HTTP API, payload format 2.0, with a Lambda REQUEST authorizer that gives simple responses. */
export function createGateway(options: GatewayOptions): RequestListener {
  const { now = Date.now, log = () => {}, cors } = options
  const answer = createAnswer(options, now, log)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = newRequestId()
    const receivedAt = now()
    const reply = await answer(request, requestId, receivedAt).catch((error: unknown) => {
      log(`gateway failed: ${describeError(error)}`)
      return gatewayReply(500)
    })
    if (reply === 'client gone') {
      response.destroy()
      return
    }
    send(response, cors === undefined ? reply : withCorsHeaders(reply, cors, request.headers.origin), requestId)
    log(`${request.method} ${request.url?.split('?', 1)[0]} ${reply.status} ${now() - receivedAt}ms ${requestId}`)
  }

  return (request, response) => {
    serve(request, response).catch(() => response.destroy())
  }
}

/** A server with the limits of API Gateway. It does not listen yet. */
export function gatewayServer(listener: RequestListener): Server {
  const server = createServer({ maxHeaderSize: NODE_HEADER_LIMIT, connectionsCheckingInterval: 1000 }, listener)
  // A connection that says nothing, and a request that does not come to its end, are closed with 408.
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // By default Node drops the headers after the 2,000th, an Authorization among them.
  server.maxHeadersCount = 0
  // Longer than a busy client lets a connection rest: closing one as it is taken up again would look like a failure.
  server.keepAliveTimeout = 75_000
  server.on('checkExpectation', listener)
  server.on('clientError', answerUnparsableRequest)
  return server
}

function createAnswer(options: GatewayOptions, now: () => number, log: (line: string) => void) {
  const matchRoute = createRouteMatcher(options.routes)
  const authorize = createAuthorize({
    authorizer: options.authorizer,
    timeoutMs: (options.authorizerTimeoutSeconds ?? MAX_SECONDS.authorizer) * 1000,
    cacheSeconds: options.authorizerCacheSeconds ?? 0,
    now,
    log,
  })

  return async (request: IncomingMessage, requestId: string, receivedAt: number): Promise<Reply | 'client gone'> => {
    const { method = '', url = '' } = request
    if (sizeOfRequestLineAndHeaderValues(request) > REQUEST_LINE_AND_HEADER_VALUES_LIMIT) return gatewayReply(431)
    const target = parseRequestTarget(url)
    if (target === undefined) return gatewayReply(400)

    const match = matchRoute(method, target.path)
    if (match === undefined) {
      const isPreflight = options.cors !== undefined && method === 'OPTIONS'
      return isPreflight ? preflightReply(options.cors, request.headers.origin) : gatewayReply(404)
    }
    const { route, pathParameters } = match
    const { routeKey } = route

    const body = await readBody(request, BODY_LIMIT)
    if (body.kind === 'client gone') return 'client gone'
    if (body.kind === 'too large') return gatewayReply(413)

    const bodyLength = body.bytes.length
    const described = describeRequest({ request, target, routeKey, pathParameters, requestId, receivedAt, bodyLength })
    const authorization = route.authorized ? await authorize(described) : undefined
    if (authorization?.allowed === false) return gatewayReply(authorization.status)

    const authorizer = authorization && { lambda: authorization.context }
    const outcome = await invoke({
      functionName: routeKey.replace(/[^A-Za-z0-9]+/g, '-'),
      run: route.handler,
      event: {
        ...described,
        requestContext: { ...described.requestContext, authorizer },
        ...encodeBody(body.bytes, described.headers['content-type']),
      },
      timeoutMs: (route.timeoutSeconds ?? MAX_SECONDS.integration) * 1000,
    })
    if (outcome.kind === 'threw') log(`${routeKey} threw: ${describeError(outcome.error)}`)
    else if (outcome.kind !== 'returned') log(`${routeKey}: ${outcome.kind}`)
    return replyToOutcome(outcome)
  }
}

function send(response: ServerResponse, { status, headers, body }: Reply, requestId: string): void {
  const hasBody = status !== 204
  // The rest of the body is not wanted, and may never end.
  if (status === 413) response.shouldKeepAlive = false
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('apigw-requestid', requestId)
  if (hasBody) response.setHeader('content-length', body.length)
  response.writeHead(status)
  response.end(hasBody ? body : undefined)
}
