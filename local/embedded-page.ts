import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { pageHeaders } from './local-app.ts'
import { script } from './script.ts'

const example = new URL('../examples/host/', import.meta.url)

const at = '/playground/embedded/'

/**
 * The same server by its other name, `localhost` beside `127.0.0.1`. For a browser it is another
 * origin, of another site.
 */
function otherOrigin({ req }: Context): string {
  const host = req.header('host') ?? ''
  const other = host.startsWith('localhost') ? '127.0.0.1' : 'localhost'
  return `http://${host.replace(/^[^:]*/, other)}`
}

/** Where the page that asks finds the example's page: at the other name of this server. */
export const embeddedAt = (c: Context): string => otherOrigin(c) + at

/** The page can redeem a session and ask its own backend. Only the playground can embed it. */
const headers = pageHeaders((c) => {
  const own = `http://${c.req.header('host')}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${own}${at} ${own}/api/v1/embed/session ${own}/api/v1/embed/session/`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${otherOrigin(c)}`,
  ]
})

/**
 * The example's embedded page with a backend of its own, for the playground. The backend asks the
 * service with the embed token of each request, so it needs no API key.
 */
export function embeddedPage(apiUrl: string) {
  return new Hono()
    .get(at, headers, async (c) => {
      const template = await readFile(new URL('embedded.html', example), 'utf8')
      const { origin } = new URL(c.req.url)
      return c.html(template.replaceAll('{apiUrl}', origin).replaceAll('{host}', otherOrigin(c)))
    })
    .get(`${at}workbooks`, headers, async ({ req, json, body }) => {
      const authorization = req.header('authorization') ?? ''
      const seen = await fetch(`${apiUrl}/api/v1/embed/workbooks`, { headers: { authorization } })
      // The list is of end users, and this one is internal.
      if (seen.status === 403) return json([])
      if (!seen.ok) return body(null, seen.status as ContentfulStatusCode)
      const { items } = (await seen.json()) as { items: { name: string }[] }
      return json(items.map(({ name }) => ({ name })))
    })
    .get(`${at}client.js`, headers, script('client/browser.ts'))
    .get(`${at}embed-frame.js`, headers, script('client/embed-frame.ts'))
    .get(
      `${at}:file{(style|embedded|session|icon)\\.(css|js|svg)}`,
      headers,
      serveStatic({
        root: fileURLToPath(example),
        rewriteRequestPath: (path) => path.slice(at.length),
      }),
    )
}
