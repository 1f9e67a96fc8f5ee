import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { expect, test } from 'vitest'
import { databasePath, engineProxy } from '../../local/engine-proxy.ts'
import { localApp } from '../../local/local-app.ts'

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('calls of the database one after another share a connection to the engine', async () => {
  let connections = 0
  const engine = createServer((request, response) => request.pipe(response)).on('connection', () => {
    connections += 1
  })
  const proxy = createAdaptorServer(localApp().route(databasePath, engineProxy(await addressOf(engine)))) as Server
  const address = (await addressOf(proxy)) + databasePath
  for (let call = 0; call < 30; call += 1) {
    expect(await (await fetch(address, { method: 'POST', body: `call ${call}` })).text()).toBe(`call ${call}`)
  }
  expect(connections).toBe(1)
  for (const each of [proxy, engine]) {
    each.closeAllConnections()
    each.close()
  }
})
