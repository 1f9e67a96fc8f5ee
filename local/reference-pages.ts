import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { pageHeaders } from './local-app.ts'

const own = fileURLToPath(new URL('reference', import.meta.url))
const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Nothing on these pages comes from, or goes to, any other place. */
const headers = pageHeaders(() => [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "frame-ancestors 'self'",
])

const fileOf = (root: string) =>
  serveStatic({ root, rewriteRequestPath: (path) => path.replace(/^\/docs/, '') })

/**
 * The API reference with forms to try each operation, at `/docs`. It shows the document that the
 * service itself serves.
 * @param demoKey the credential to begin with, if the demo catalog has been loaded
 */
export const referencePages = (demoKey: string | undefined) =>
  new Hono()
    .get('/docs', headers, fileOf(own))
    .get('/docs/:file{(reference|look)\\.(css|js)}', headers, fileOf(own))
    .get('/docs/:file{swagger-ui(-bundle)?\\.(css|js)}', headers, fileOf(swaggerUi))
    .get('/docs/demo-key.json', headers, (c) => c.json({ key: demoKey ?? null }))
