import type { Reply } from './response.ts'

export type CorsConfiguration = {
  readonly allowOrigins: readonly string[]
  readonly allowMethods: readonly string[]
  readonly allowHeaders: readonly string[]
  readonly exposeHeaders: readonly string[]
  readonly maxAgeSeconds: number
}

/** The gateway's own refusals carry these headers too, so that a page can read a 401. */
export function withCorsHeaders(reply: Reply, cors: CorsConfiguration, origin: string | undefined): Reply {
  const exposed = listHeader('access-control-expose-headers', cors.exposeHeaders)
  return { ...reply, headers: { ...reply.headers, ...allowOriginHeader(cors, origin, exposed) } }
}

/** Answers any OPTIONS request that no route takes, before any authorizer; an origin not allowed gets a bare 204. */
export function preflightReply(cors: CorsConfiguration, origin: string | undefined): Reply {
  const headers = allowOriginHeader(cors, origin, {
    ...listHeader('access-control-allow-methods', cors.allowMethods),
    ...listHeader('access-control-allow-headers', cors.allowHeaders),
    'access-control-max-age': String(cors.maxAgeSeconds),
  })
  return { status: 204, headers, body: Buffer.alloc(0) }
}

function allowOriginHeader(
  { allowOrigins }: CorsConfiguration,
  origin: string | undefined,
  alongWithIt: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  if (allowOrigins.includes('*')) return { 'access-control-allow-origin': '*', ...alongWithIt }
  return allowOrigins.includes(origin) ? { 'access-control-allow-origin': origin, ...alongWithIt } : {}
}

function listHeader(name: string, values: readonly string[]): Readonly<Record<string, string>> {
  return values.length === 0 ? {} : { [name]: values.join(',') }
}
