import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Refuses requests that are addressed to another host, with 421. A web page can have its own host name mean this machine
 * (DNS rebinding), and would read the answers as its own.
 */
export function onlyAtOwnHost(server: Server): void {
  // A request with an Expect header comes as the second event.
  for (const event of ['request', 'checkExpectation']) {
    const listeners = server.listeners(event) as RequestListener[]
    server.removeAllListeners(event)
    server.on(event, (request: IncomingMessage, response: Parameters<RequestListener>[1]) => {
      if (!isAtOwnHost(request)) return refuse(response, 421, 'This server answers at 127.0.0.1 and localhost alone.')
      for (const listener of listeners) listener.call(server, request, response)
    })
  }
}

/** Whether the request names this machine and the port that it came to. A request without a Host is the gateway's. */
export function isAtOwnHost({ headers: { host }, socket }: IncomingMessage): boolean {
  const { port } = socket.address() as AddressInfo
  return host === undefined || host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

/** Refuses in the shape of the gateway's own refusals. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ message }))
}
