import { request } from 'node:http'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { started } from '../support/command.ts'

let service: Awaited<ReturnType<typeof started>>
let url: string
let engine: string
beforeAll(async () => {
  service = await started()
  url = service.url
  engine = (await service.printed(/DYNAMODB_ENDPOINT=(\S+)/))[1] as string
})
afterAll(() => service.end())

/** Not `fetch`, which sets Host itself and sends no Origin of one's own. */
const send = (address: string, method: string, headers: Record<string, string>, body = '') =>
  new Promise<{ status: number | undefined; cors: unknown }>((resolve, reject) => {
    const sent = request(address, { method, headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, cors: answer.headers['access-control-allow-origin'] })
    })
    sent.on('error', reject).end(body)
  })

const listTables = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.ListTables',
  authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
}

test('the embedded engine answers an SDK at the address that is printed', async () => {
  const client = new DynamoDBClient({
    endpoint: engine,
    region: 'local',
    credentials: { accessKeyId: 'a', secretAccessKey: 'a' },
  })
  const { TableNames = [] } = await client.send(new ListTablesCommand({}))
  expect(TableNames).not.toEqual([])
  client.destroy()
})

test('the embedded engine refuses web pages, their preflights and other host names', async () => {
  const refused = { status: 403, cors: undefined }
  const origin = 'https://evil.example'
  expect(await send(engine, 'POST', { ...listTables, origin }, '{}')).toEqual(refused)
  expect(await send(engine, 'POST', { ...listTables, origin: 'null' }, '{}')).toEqual(refused)
  expect(await send(engine, 'POST', { ...listTables, 'sec-fetch-site': 'cross-site' }, '{}')).toEqual(refused)
  expect(await send(engine, 'OPTIONS', { origin, 'access-control-request-method': 'POST' })).toEqual(refused)
  const { port } = new URL(engine)
  for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, '127.0.0.1', 'localhost:1']) {
    expect(await send(engine, 'POST', { ...listTables, host }, '{}')).toEqual({ status: 421, cors: undefined })
  }
})

test('the local server answers at its own host name and no other', async () => {
  const { port } = new URL(url)
  const keySet = `${url}/.well-known/jwks.json`
  const at = async (address: string, host: string) => (await send(address, 'GET', { host })).status
  expect([await at(keySet, `127.0.0.1:${port}`), await at(keySet, `localhost:${port}`)]).toEqual([200, 200])
  for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, 'localhost', 'localhost:1']) {
    expect([host, await at(keySet, host), await at(`${url}/`, host)]).toEqual([host, 421, 421])
    expect((await send(keySet, 'GET', { host, expect: 'something' })).status).toBe(421)
  }
})
