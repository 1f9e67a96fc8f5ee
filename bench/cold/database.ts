import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificate.ts'

type Answer = { readonly status: number; readonly type: string; readonly body: string }

/** A database that repeats every answer that it has given once. */
export type ReplayingDatabase = {
  readonly endpoint: string
  stop(): void
}

/**
 * Answers over TLS what an engine answers. From the second time on, it answers without the engine.
 * It tells writes apart by their keys alone, since their contents have a time or a random part.
 */
export async function replayingDatabase(
  engine: string,
  certificate: Certificate,
): Promise<ReplayingDatabase> {
  const known = new Map<string, Answer>()
  const answer: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const target = String(request.headers['x-amz-target'])
    const isWrite = /\.(Put|Update|Delete)Item$/.test(target)
    const question = `${target} ${isWrite ? writtenKey(body) : body}`
    const found = known.get(question) ?? (await answerOf(engine, request, body))
    known.set(question, found)
    response.writeHead(found.status, { 'content-type': found.type })
    response.end(found.body)
  }
  const server = createServer(certificate, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `https://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A put returns nothing, so all puts of a table count as one. */
function writtenKey(body: string): string {
  const { TableName, Key } = JSON.parse(body)
  return JSON.stringify({ TableName, Key })
}

async function answerOf(
  engine: string,
  { headers }: IncomingMessage,
  body: string,
): Promise<Answer> {
  const { host: _, connection: __, 'content-length': ___, ...others } = headers
  const answer = await fetch(engine, {
    method: 'POST',
    headers: others as Record<string, string>,
    body,
  })
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    body: await answer.text(),
  }
}
