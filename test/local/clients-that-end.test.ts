import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { folder } from '../support/catalog.ts'
import { run } from '../support/command.ts'
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

const service = run(['cli/start.ts', '--port', '0'])
let url: string
let engine: string
let directory: string
beforeAll(async () => {
  url = (await service.printed(/Listening on (\S+)/))[1] as string
  engine = (await service.printed(/DYNAMODB_ENDPOINT=(\S+)/))[1] as string
  directory = await mkdtemp(join(tmpdir(), 'embed-access-clients-'))
})
afterAll(async () => {
  service.child.kill('SIGINT')
  expect((await service.ended).code).toBe(0)
  await rm(directory, { recursive: true })
})

async function expectAnswers(): Promise<void> {
  const session = await fetch(`${url}/api/v1/embed/generate-session`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoKeys.admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'user-1' }),
  })
  expect(session.status).toBe(200)
  expect((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status).toBe(200)
  const scanned = await fetch(engine, { method: 'POST', headers: engineHeaders, body: scan })
  expect(((await scanned.json()) as { Count: number }).Count).toBeGreaterThan(100)
}
// It has answered each of these once, so no client waits for a first time.
beforeEach(expectAnswers)

function requestTo(address: string, path: string, headers: Record<string, string>, body: string): string {
  const all = { host: new URL(address).host, ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

const api =
  (path: string, body = '') =>
  () =>
    [url, requestTo(url, path, { authorization: `Bearer ${demoKeys.admin}` }, body)] as const
const database = () => [engine, requestTo(engine, new URL(engine).pathname, engineHeaders, scan)] as const
const body = JSON.stringify({ deploymentId: 1001, externalId: 'x'.repeat(1000) })

const half = (text: string) => text.slice(0, text.length / 2)
const begun = (text: string) => text.slice(0, text.indexOf('\r\n\r\n') + 4 + 10)
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

type Ending = (socket: Socket, request: string, round: number) => Promise<unknown>
const endings: [string, Ending][] = [
  [
    'in half of its headers',
    async (socket, request) => socket.write(half(request.slice(0, request.indexOf('\r\n\r\n')))),
  ],
  ['in half of its body', async (socket, request) => socket.write(begun(request))],
  [
    'before its answer',
    async (socket, request, round) => {
      socket.write(request)
      await turns(round % 40)
    },
  ],
  [
    'in its answer',
    async (socket, request) => {
      socket.write(request)
      await once(socket, 'data')
    },
  ],
]

/** The answers are large where a client ends in one, so that there is more to come. */
test.each([
  ['API', endings.slice(0, 3), api('/api/v1/embed/generate-session', body)],
  ['API’s pages', endings.slice(3), api('/docs/swagger-ui-bundle.js')],
  ['engine', endings, database],
] as const)('goes on when clients of the %s end', { timeout: 120_000 }, async (_, ways, target) => {
  const [address, request] = target()
  const { hostname, port } = new URL(address)
  for (const [way, end] of ways) {
    for (let round = 0; round < clients; round += atOnce) {
      const ended = Array.from({ length: atOnce }, async (_, index) => {
        const socket = connect(Number(port), hostname).on('error', () => {})
        await once(socket, 'connect')
        await end(socket, request, round + index)
        if (index % 2 === 0) socket.resetAndDestroy()
        else socket.destroy()
        await once(socket, 'close')
      })
      await Promise.all(ended)
    }
    await expectAnswers()
    expect([way, service.child.exitCode]).toEqual([way, null])
  }
})

test.each(['SIGINT', 'SIGKILL'] as const)('goes on when an import ends by %s', slow, async (signal) => {
  const file = join(directory, `${signal}.ndjson`)
  const changes = Array.from({ length: 50_000 }, (_, index) => JSON.stringify(folder(1001, 10_000 + index, null)))
  await writeFile(file, changes.join('\n'))
  const importing = run(['cli/catalog.ts', 'import', file, '--url', url])
  await importing.printed(/\d+ lines, /)
  importing.child.kill(signal)
  expect((await importing.ended).printed).not.toContain('applied')
  await expectAnswers()
})
