import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { gatewayReply } from './reply.ts'

// Node counts header names too, and AWS does not. This is so high that our own count decides.
const nodeHeaderLimit = 64 * 1024

/** A server with the limits of API Gateway. It does not listen yet. */
export function gatewayServer(listener: RequestListener): Server {
  const server = createServer(
    { maxHeaderSize: nodeHeaderLimit, connectionsCheckingInterval: 1000 },
    listener,
  )
  // The server answers 408 if a connection sends nothing, or if a request does not end.
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  // By default Node drops the headers after the 2,000th, an Authorization among them.
  server.maxHeadersCount = 0
  // If the server closed a connection just as a client uses it again, the client would see a
  // failure. A busy client uses its connections more often than this.
  server.keepAliveTimeout = 75_000
  server.on('checkExpectation', listener)
  server.on('clientError', answerUnparsable)
  return server
}

/** An id in the form of AWS's own: fifteen characters of base64 and one `=`. */
export const newRequestId = (): string => `${randomBytes(11).toString('base64url')}=`

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** There is no request object here, so the answer goes onto the socket as it is. */
function answerUnparsable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, headers, body } = gatewayReply(statusOf[error.code ?? ''] ?? 400)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `date: ${new Date().toUTCString()}`,
    `content-type: ${headers['content-type']}`,
    `content-length: ${body.length}`,
    `apigw-requestid: ${newRequestId()}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
