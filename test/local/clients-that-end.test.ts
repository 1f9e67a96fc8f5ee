import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { folder } from '../support/catalog.ts'
import { run, started } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

/** Clients of each kind, at each address. With all kinds they are a thousand. */
const clients = 125
const atOnce = 25

const scan = JSON.stringify({ TableName: 'embed-access-catalog' })
/** The engine takes any signature. */
const engineHeaders = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  'x-amz-target': 'DynamoDB_20120810.Scan',
  authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
}
const authorization = `Bearer ${demoKeys.admin}`

let service: Awaited<ReturnType<typeof started>>
let engine: string
const directory = temporaryDirectory()
beforeAll(async () => {
  service = await started()
  engine = (await service.printed(/DYNAMODB_ENDPOINT=(\S+)/))[1] as string
})
afterAll(async () => {
  expect((await service.end()).code).toBe(0)
})
// It has answered each of these once, so no client waits for a first time.
beforeEach(expectAnswers)

type Ending = (socket: Socket, request: string, round: number) => Promise<unknown>
const inHeaders: Ending = async (socket, request) => socket.write(request.slice(0, request.indexOf('\r\n\r\n') / 2))
const inBody: Ending = async (socket, request) => socket.write(request.slice(0, request.indexOf('\r\n\r\n') + 14))
const beforeAnswer: Ending = async (socket, request, round) => {
  socket.write(request)
  for (let turn = 0; turn < round % 40; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const inAnswer: Ending = async (socket, request) => {
  socket.write(request)
  await once(socket, 'data')
}

const body = JSON.stringify({ deploymentId: 1001, externalId: 'x'.repeat(1000) })
/** The answers are large where a client ends in one, so that there is more to come. */
const targets = {
  API: () => [`${service.url}/api/v1/embed/generate-session`, { authorization }, body],
  page: () => [`${service.url}/docs/swagger-ui-bundle.js`, {}],
  engine: () => [engine, engineHeaders, scan],
} satisfies Record<string, () => Parameters<typeof requestTo>>

test.each([
  ['API', 'half of their headers', inHeaders],
  ['API', 'half of their body', inBody],
  ['API', 'the time before the answer', beforeAnswer],
  ['page', 'the answer', inAnswer],
  ['engine', 'half of their headers', inHeaders],
  ['engine', 'half of their body', inBody],
  ['engine', 'the time before the answer', beforeAnswer],
  ['engine', 'the answer', inAnswer],
] as const)('npm start goes on when clients of the %s end in %s', slow, async (target, _, end) => {
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
  expect(service.child.exitCode).toBeNull()
})

test.each(['SIGINT', 'SIGKILL'] as const)('npm start goes on when an import ends by %s', slow, async (signal) => {
  const file = join(directory, `${signal}.ndjson`)
  const changes = Array.from({ length: 50_000 }, (_, index) => JSON.stringify(folder(1001, 10_000 + index, null)))
  await writeFile(file, changes.join('\n'))
  const importing = run(['cli/catalog.ts', 'import', file, '--url', service.url])
  await importing.printed(/\d+ lines, /)
  importing.child.kill(signal)
  expect((await importing.ended).printed).not.toContain('applied')
  await expectAnswers()
})

async function expectAnswers(): Promise<void> {
  const session = await fetch(`${service.url}/api/v1/embed/generate-session`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'user-1' }),
  })
  expect(session.status).toBe(200)
  expect((await fetch(`${service.url}/docs/swagger-ui-bundle.js`)).status).toBe(200)
  const scanned = await fetch(engine, { method: 'POST', headers: engineHeaders, body: scan })
  expect(((await scanned.json()) as { Count: number }).Count).toBeGreaterThan(100)
}

function requestTo(address: string, headers: Record<string, string>, body = ''): string {
  const { host, pathname } = new URL(address)
  const all = { host, ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${body ? 'POST' : 'GET'} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
