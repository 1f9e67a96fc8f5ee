import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { ApiError, createClient } from '@embed-access/client'
import { build } from 'esbuild'

/*
 * A host application: its backend holds the API key and makes sessions, its page shows the embedded one in an iframe.
 *
 *   browser ── GET / ──▶ backend ── generate-session ──▶ service
 *   iframe src=/embedded#sessionId ── session/token ──▶ service, once; then renewed through the page around it
 */

const { API_URL = 'http://127.0.0.1:8787', API_KEY = 'sk-demo-harborline-admin', PORT = '3000' } = process.env

const api = createClient({ baseUrl: API_URL, token: API_KEY })

/** Who is logged in, which a real host knows by its own session cookie. Never take this from the request. */
const endUser = {
  deploymentId: 1001,
  embedTenantName: 'alder-oak',
  externalId: 'user-1',
  userProfile: { displayName: 'Mara Lindgren' },
  settings: { locale: 'en-GB' },
}

const page = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')

async function bundledClient(): Promise<string> {
  const entryPoints = ['@embed-access/client']
  const { outputFiles } = await build({ entryPoints, bundle: true, format: 'esm', write: false })
  return outputFiles[0]?.text ?? ''
}

async function answer(route: string, response: ServerResponse): Promise<void> {
  const send = (type: string, body: string) => response.setHeader('content-type', type).end(body)
  switch (route) {
    case 'GET /': {
      const { sessionId } = await api.generateSession(endUser)
      return void send('text/html', (await page('host.html')).replace('{sessionId}', sessionId))
    }
    // The embedded page asks for another session before its token ends; the end user is the one logged in now.
    case 'POST /session':
      return void send('application/json', JSON.stringify(await api.generateSession(endUser)))
    // From here on it's what the platform serves, on its own domain.
    case 'GET /embedded':
      return void send('text/html', (await page('embedded.html')).replace('{apiUrl}', API_URL))
    case 'GET /client.js':
      return void send('text/javascript', await bundledClient())
    default:
      response.writeHead(404).end()
  }
}

createServer((request, response) => {
  answer(`${request.method} ${request.url}`, response).catch((error: unknown) => {
    console.error(error instanceof ApiError ? `${error.code}: ${error.message} (request ${error.requestId})` : error)
    response.writeHead(502, { 'content-type': 'text/plain' }).end('The embedded page is not available at the moment.')
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The host application is at http://127.0.0.1:${PORT}`))
