import type { RequestListener } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { proxy } from 'hono/proxy'

export type LocalApp = Hono<{ Bindings: HttpBindings }>

/**
 * Serves what only the local server has. It refuses each request whose Host is not its own, also if
 * the gateway would answer it. Otherwise a web page could point its host name at this machine (DNS
 * rebinding) and read the answers.
 */
export function localApp(): LocalApp {
  const app: LocalApp = new Hono()
  app.use(async (c, next) => {
    const { headers, socket } = c.env.incoming
    // HTTP clients do not send the port 80.
    const port = socket.localPort === 80 ? '' : `:${socket.localPort}`
    const isOwn = ['127.0.0.1', 'localhost'].some((name) => headers.host === name + port)
    return isOwn
      ? next()
      : c.json({ message: 'This server answers at 127.0.0.1 and localhost alone.' }, 421)
  })
  app.onError((error, c) =>
    c.json({ message: error.message }, error instanceof HTTPException ? error.status : 500),
  )
  return app
}

/**
 * Refuses requests of web pages: a page could store a key or change the catalog. Browsers send
 * `Origin` or `Sec-Fetch-Site`, and no SDK does.
 */
export const noWebPages = createMiddleware(async (c, next) => {
  const isFromPage = ['origin', 'sec-fetch-site'].some((name) => c.req.header(name) !== undefined)
  return isFromPage ? c.json({ message: 'This is not for web pages.' }, 403) : next()
})

export const databasePath = '/_local/dynamodb'

/**
 * The embedded engine, for other programs of this machine. The engine itself takes any signature
 * and lets pages of every origin in.
 * @param engine its own address, which is not printed
 */
export const engineProxy = (engine: string) =>
  new Hono().use(noWebPages).all('*', (c) => proxy(engine, c.req))

/**
 * The headers of a page of the local server.
 * @param policy what it may load
 */
export const pageHeaders = (policy: (c: Context) => readonly string[]) =>
  createMiddleware((c, next) => {
    c.header('content-security-policy', policy(c).join('; '))
    c.header('cache-control', 'no-cache')
    c.header('x-content-type-options', 'nosniff')
    c.header('referrer-policy', 'no-referrer')
    return next()
  })

/** Lets the app answer what it has a route for, and the gateway everything else. */
export function appBefore(gateway: RequestListener, app: LocalApp): RequestListener {
  app.notFound((c) => {
    gateway(c.env.incoming, c.env.outgoing as Parameters<RequestListener>[1])
    return RESPONSE_ALREADY_SENT
  })
  return getRequestListener(app.fetch, { overrideGlobalObjects: false })
}
