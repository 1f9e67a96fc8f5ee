import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { ApiError } from '@embed-access/client/server'

/** What a route answers: a page or data, where to go, or nothing (204). */
export type Answer = {
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Request = {
  readonly headers: IncomingMessage['headers']
  readonly form: URLSearchParams
}

/** The routes of a server, such as `GET /`. */
type Routes = Readonly<Record<string, (request: Request) => Answer | Promise<Answer>>>

const html = (body: string): Answer => ({ type: 'text/html; charset=utf-8', body })
export const json = (value: unknown): Answer => ({
  type: 'application/json',
  body: JSON.stringify(value),
})

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' }

/** Serves a file that lies beside this one. */
export const file = (name: string) => async (): Promise<Answer> => ({
  type: types[name.split('.').at(-1) as keyof typeof types],
  body: await readFile(new URL(name, import.meta.url), 'utf8'),
})

/** A part of the client in one file, for pages without a bundler. */
export const clientFile = (name: 'browser' | 'embed-frame') =>
  file(import.meta.resolve(`@embed-access/client/${name}.js`))

/**
 * Reads a page, and puts values in the places of their names. Only values of our own: they are not
 * escaped.
 */
export async function page(
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<Answer> {
  const template = await readFile(new URL(name, import.meta.url), 'utf8')
  return html(template.replaceAll(/\{(\w+)\}/g, (whole, value: string) => values[value] ?? whole))
}

export type Site = { readonly policy: string; readonly routes: Routes }

/** @throws Error with a sentence if the port is taken */
export async function listen(port: number, { policy, routes }: Site): Promise<void> {
  const server = createServer((request, response) => {
    answerTo(request, routes)
      .catch(failed)
      .then((answer) => send(response, policy, answer))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Another one: npm run example -- --port ${port + 100}`
      reject(new Error(code === 'EADDRINUSE' ? taken : message))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

async function answerTo(request: IncomingMessage, routes: Routes): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://any')
  const route = `${request.method} ${pathname}`
  const answer = Object.hasOwn(routes, route) ? routes[route] : undefined
  return answer
    ? answer({ headers: request.headers, form: new URLSearchParams(await text(request)) })
    : { status: 404 }
}

/** What went wrong is for the log. The browser learns only that something did. */
function failed(error: unknown): Answer {
  console.error(
    error instanceof ApiError
      ? `${error.code}: ${error.message} (request ${error.requestId})`
      : error,
  )
  return { status: 502, type: 'text/plain', body: 'This is not available at the moment.' }
}

function send(
  response: ServerResponse,
  policy: string,
  { status, type, body, headers }: Answer,
): void {
  response.writeHead(status ?? (body === undefined ? 204 : 200), {
    'content-security-policy': policy,
    // With no-referrer, a browser would not say where a form comes from.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(type && { 'content-type': type }),
    ...headers,
  })
  response.end(body)
}
