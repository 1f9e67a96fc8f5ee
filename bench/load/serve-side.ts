import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Memory } from './side.ts'

/** No server lives longer, whatever becomes of the process that has started it. */
const longestLifeMs = 30 * 60_000

/** Runs a server for the process that has started this one, and tells it what the server uses. */
export function serveSide<Given>(make: (given: Given) => Promise<Server>): void {
  const answer = (message: unknown) => process.send?.(message)
  process.once('disconnect', () => process.exit())
  setTimeout(() => process.exit(), longestLifeMs).unref()
  process.once('message', async (given) => {
    const server = await make(given as Given)
    process.on('message', (question) => answer(question === 'cpu' ? cpuMs() : memory()))
    server.listen(0, '127.0.0.1', () => answer({ port: (server.address() as AddressInfo).port }))
  })
}

/** A server that answers 500 where it fails. */
export const serverOf = (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server =>
  createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${error}\n`)
      response.writeHead(500).end()
    })
  })

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function memory(): Memory {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}
