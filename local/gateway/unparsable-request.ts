import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { newRequestId } from './event.ts'
import { gatewayReply } from './response.ts'

const STATUS_BY_PARSER_ERROR: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** For the server's `clientError`: there is no request object here, so the answer goes onto the socket as it is. */
export function answerUnparsableRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = gatewayReply(STATUS_BY_PARSER_ERROR[error.code ?? ''] ?? 400)
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
