import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { folder, keys, people, workbook } from '../support/catalog.ts'
import { run, started, withoutLimits } from '../support/command.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

const atOnce = 25

/** The engine takes any signature. */
const engineHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  'x-amz-target': 'DynamoDB_20120810.Scan',
  authorization:
    'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, ' +
    'SignedHeaders=host, Signature=a',
}
const scan = (Limit: number) => JSON.stringify({ TableName: 'embed-access-catalog', Limit })
const authorization = `Bearer ${keys.admin}`

/** A third of the demo, which loads faster. A scan of all has half a megabyte. */
const workbooks = Array.from({ length: 400 }, (_, index) =>
  workbook(1, index, { meta: { large: 'x'.repeat(1000) } }),
)

let service: Awaited<ReturnType<typeof started>>
let url: string
let engine: string
const directory = temporaryDirectory()
beforeAll(async () => {
  const catalog = await fileIn(directory, 'catalog.ndjson', [...people, ...workbooks])
  service = await started('--catalog', catalog)
  url = service.url
  engine = (await service.printed(/DYNAMODB_ENDPOINT=(\S+)/))[1] as string
  // No client waits for a first time.
  await expectAnswers()
  return async () => expect((await service.end()).code).toBe(0)
})

/** Not `fetch`, which sets Host itself and sends no Origin of one's own. */
const send = (address: string, method: string, headers: Record<string, string>, body = '') =>
  new Promise<{ status: number | undefined; cors: unknown }>((resolve, reject) => {
    const sent = request(address, { method, headers }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode, cors: answer.headers['access-control-allow-origin'] })
    })
    sent.on('error', reject).end(body)
  })

test('the embedded engine refuses web pages, their preflights and other host names', async () => {
  const origin = 'https://evil.example'
  const preflight = { origin, 'access-control-request-method': 'POST' }
  expect(await send(engine, 'OPTIONS', preflight)).toEqual({ status: 403, cors: undefined })
  for (const page of [{ origin }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    const headers = { ...engineHeaders, ...page } as Record<string, string>
    expect(await send(engine, 'POST', headers, scan(1))).toEqual({ status: 403, cors: undefined })
  }
  const { port } = new URL(engine)
  for (const host of [
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '127.0.0.1',
    'localhost:1',
  ]) {
    const refused = await send(engine, 'POST', { ...engineHeaders, host }, scan(1))
    expect(refused).toEqual({ status: 421, cors: undefined })
  }
})

test('the local server answers at its own host name and no other', async () => {
  const { port } = new URL(url)
  const keySet = `${url}/.well-known/jwks.json`
  const at = async (address: string, host: string) => (await send(address, 'GET', { host })).status
  expect([await at(keySet, `127.0.0.1:${port}`), await at(keySet, `localhost:${port}`)]).toEqual([
    200, 200,
  ])
  for (const host of [
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    'localhost',
    'localhost:1',
  ]) {
    expect([host, await at(keySet, host), await at(`${url}/`, host)]).toEqual([host, 421, 421])
    expect((await send(keySet, 'GET', { host, expect: 'something' })).status).toBe(421)
  }
})

type Ending = (socket: Socket, request: string, round: number) => Promise<unknown>
const inHeaders: Ending = async (socket, request) =>
  socket.write(request.slice(0, request.indexOf('\r\n\r\n') / 2))
const inBody: Ending = async (socket, request) =>
  socket.write(request.slice(0, request.indexOf('\r\n\r\n') + 14))
const beforeAnswer: Ending = async (socket, request, round) => {
  socket.write(request)
  for (let turn = 0; turn < round % 40; turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
}
const inAnswer: Ending = async (socket, request) => {
  socket.write(request)
  await once(socket, 'data')
}

const body = JSON.stringify({ deploymentId: 1, externalId: 'x'.repeat(1000) })
/** The answers are large where a client ends in one, so that there is more to come. */
const targets = {
  API: () => [`${url}/api/v1/embed/generate-session`, { authorization }, body],
  page: () => [`${url}/docs/swagger-ui-bundle.js`, {}],
  engine: () => [engine, engineHeaders, scan(400)],
} satisfies Record<string, () => Parameters<typeof requestTo>>

// A thousand, the fewest where the engine reads and sends half a megabyte for each.
test.each([
  { target: 'API', in: 'half of their headers', end: inHeaders, clients: 200 },
  { target: 'API', in: 'half of their body', end: inBody, clients: 200 },
  { target: 'API', in: 'the time before the answer', end: beforeAnswer, clients: 75 },
  { target: 'page', in: 'the answer', end: inAnswer, clients: 125 },
  { target: 'engine', in: 'half of their headers', end: inHeaders, clients: 150 },
  { target: 'engine', in: 'half of their body', end: inBody, clients: 150 },
  { target: 'engine', in: 'the time before the answer', end: beforeAnswer, clients: 50 },
  { target: 'engine', in: 'the answer', end: inAnswer, clients: 50 },
] as const)('npm start goes on when clients of the $target end in $in', slow, async (given) => {
  const { target, end, clients } = given
  const asked: Parameters<typeof requestTo> = targets[target]()
  const { hostname, port } = new URL(asked[0])
  for (let round = 0; round < clients; round += atOnce) {
    const ended = Array.from({ length: atOnce }, async (_, index) => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await once(socket, 'connect')
      await end(socket, requestTo(...asked), round + index)
      if (index % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
      await once(socket, 'close')
    })
    await Promise.all(ended)
  }
  await expectAnswers()
})

test('npm start goes on when an import is killed', slow, async () => {
  const changes = Array.from({ length: 1000 }, (_, index) => folder(1, 10_000 + index, null))
  const file = await fileIn(directory, 'large.ndjson', changes)
  const words = ['cli/embed-access.ts', 'catalog', 'import', file, '--url', url]
  const importing = run([...withoutLimits, ...words])
  // From here on it sends its first lines.
  await expect.poll(() => existsSync(`${file}.import-state`)).toBe(true)
  importing.child.kill('SIGKILL')
  expect((await importing.ended).printed).not.toContain('applied')
  await expectAnswers()
})

async function expectAnswers(): Promise<void> {
  const session = await fetch(`${url}/api/v1/embed/generate-session`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      deploymentId: 1,
      embedTenantName: 'alder-oak',
      externalId: 'user-1',
    }),
  })
  expect(session.status).toBe(200)
  expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200)
  const scanned = await fetch(engine, { method: 'POST', headers: engineHeaders, body: scan(101) })
  expect(((await scanned.json()) as { Count: number }).Count).toBe(101)
  expect(service.child.exitCode).toBeNull()
}

function requestTo(address: string, headers: Record<string, string>, body = ''): string {
  const { host, pathname } = new URL(address)
  const all = { host, ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${body ? 'POST' : 'GET'} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
