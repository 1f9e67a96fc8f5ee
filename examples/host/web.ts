import { readFile } from 'node:fs/promises'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

type Serve = () => Promise<Response>

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

/** Serves a file that lies beside this one. */
export const file =
  (name: string): Serve =>
  async () => {
    const type = types[name.split('.').at(-1) as keyof typeof types]
    const text = await readFile(new URL(name, import.meta.url), 'utf8')
    return new Response(text, { headers: { 'content-type': type } })
  }

/** A part of the client in one file, for pages without a bundler. */
export const clientFile = (name: 'browser' | 'embed-frame'): Serve =>
  file(import.meta.resolve(`@embed-access/client/${name}.js`))

/** Reads a page, and replaces names in it by values. These are our own, so they are not escaped. */
export async function page(
  name: string,
  values: Readonly<Record<string, string>> = {},
): Promise<string> {
  const template = await readFile(new URL(name, import.meta.url), 'utf8')
  return template.replaceAll(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole)
}

/** Makes a site. Its pages may use its own files, and what these directives add. */
export function site(...directives: readonly string[]): Hono {
  const own = ['script-src', 'style-src', 'img-src'].map((each) => `${each} 'self'`)
  const policy = ["default-src 'none'", "base-uri 'none'", ...own, ...directives].join('; ')
  const app = new Hono()
  app.use(async ({ header }, next) => {
    await next()
    header('content-security-policy', policy)
    // With no-referrer, a browser would not say where a form comes from.
    header('referrer-policy', 'same-origin')
    header('x-content-type-options', 'nosniff')
    header('cache-control', 'no-store')
  })
  // What went wrong is for the log. The browser learns only that something did.
  app.onError((error, { text }) => {
    console.error(error)
    return text('This is not available at the moment.', 502)
  })
  app.get('/style.css', file('style.css'))
  app.get('/icon.svg', file('icon.svg'))
  app.get('/embed-frame.js', clientFile('embed-frame'))
  return app
}

/** @throws Error with a sentence if the port is taken */
export async function listen(port: number, { fetch }: Hono): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const server = serve({ fetch, port, hostname: '127.0.0.1' }, () => resolve())
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Another one: npm run example -- --port ${port + 100}`
      reject(new Error(code === 'EADDRINUSE' ? taken : message))
    })
  })
}
