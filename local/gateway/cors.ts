import type { Reply } from './response.ts'

export type CorsConfiguration = {
  readonly allowOrigins: readonly string[]
  readonly allowMethods: readonly string[]
  readonly allowHeaders: readonly string[]
  readonly exposeHeaders: readonly string[]
  readonly maxAgeSeconds: number
}

type Headers = Readonly<Record<string, string>>

/** The gateway's own refusals carry these headers too, so that a page can read a 401. */
export function withCorsHeaders(reply: Reply, cors: CorsConfiguration, origin: string | undefined): Reply {
  const exposed = list('access-control-expose-headers', cors.exposeHeaders)
  return { ...reply, headers: { ...reply.headers, ...allowing(origin, cors, exposed) } }
}

/** Answers any OPTIONS request that no route takes, before any authorizer; an origin not allowed gets a bare 204. */
export function preflightReply(cors: CorsConfiguration, origin: string | undefined): Reply {
  const headers = allowing(origin, cors, {
    ...list('access-control-allow-methods', cors.allowMethods),
    ...list('access-control-allow-headers', cors.allowHeaders),
    'access-control-max-age': String(cors.maxAgeSeconds),
  })
  return { status: 204, headers, body: Buffer.alloc(0) }
}

function allowing(origin: string | undefined, { allowOrigins }: CorsConfiguration, more: Headers): Headers {
  const allowed = origin !== undefined && ['*', origin].find((each) => allowOrigins.includes(each))
  return allowed ? { 'access-control-allow-origin': allowed, ...more } : {}
}

const list = (name: string, values: readonly string[]): Headers =>
  values.length === 0 ? {} : { [name]: values.join() }
