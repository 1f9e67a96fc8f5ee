import { once } from 'node:events'
import { Agent, createServer, request as requestOf } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { isAtOwnHost, refuse } from './own-host.ts'

/**
 * Stands before the embedded engine at an address that may be printed. The engine takes any signature and lets pages of
 * every origin in, so a page that a developer opens could write itself a key. Browsers send `Origin` or
 * `Sec-Fetch-Site`, and no SDK does.
 * @param engine the engine's own address, which is not printed
 * @returns the address for other programs on this machine
 */
export async function guardedEngine(engine: string): Promise<string> {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((request, response) => {
    const { origin, 'sec-fetch-site': site } = request.headers
    if (origin !== undefined || site !== undefined || request.headers.host === undefined || !isAtOwnHost(request)) {
      return refuse(response, 403, 'The embedded engine is not for web pages.')
    }
    const { method, url: path, headers } = request
    const forwarded = requestOf(engine, { agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => {})
    })
    forwarded.on('error', () => response.destroy())
    // An answer that comes after the client has gone would have nowhere to go, and the service would end with that error.
    response.on('close', () => forwarded.destroy())
    pipeline(request, forwarded, () => {})
  })
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
