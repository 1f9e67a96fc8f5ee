import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { run } from '../support/command.ts'
import { slow } from '../support/time.ts'

/** The process ids of the engine that a service has started, which is its grandchild. */
function enginesOf(service: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/))
  const childrenOf = (parent: string) => processes.filter(([, ppid]) => ppid === parent)
  return childrenOf(String(service))
    .flatMap(([shell = '']) => childrenOf(shell))
    .filter(([, , name]) => name?.startsWith('dynoxide'))
    .map(([pid]) => Number(pid))
}

// Each test starts the service, some of them more than once.
describe('npm start', slow, () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('ends with its engine, keeps its data, and lets no second service at them', async () => {
    const data = join(directory, 'data')
    const service = run(['cli/start.ts', '--port', '0', '--data', data])
    await service.printed(/Listening on/)
    const second = await run(['cli/start.ts', '--port', '0', '--data', data]).ended
    expect(second).toMatchObject({ code: 1, printed: expect.stringContaining(`Another service uses ${data}.`) })
    for (const engine of enginesOf(service.child.pid as number)) process.kill(engine, 'SIGKILL')
    const { code, printed } = await service.ended
    expect([code, printed.split('\n').at(-2)]).toEqual([
      1,
      'The embedded DynamoDB engine has ended. Start the service again.',
    ])

    const again = run(['cli/start.ts', '--port', '0', '--data', data])
    const [, url] = await again.printed(/Listening on (\S+)/)
    const headers = { authorization: `Bearer ${demoKeys.admin}` }
    const reply = await fetch(`${url}/api/v1/deployments/1001/dbt-sync`, { headers })
    expect(((await reply.json()) as { items: unknown[] }).items.length).toBeGreaterThan(0)
    again.child.kill('SIGINT')
    expect((await again.ended).printed).not.toContain('Loading')
  })

  test('ends with its engine if that kept nothing', async () => {
    const service = run(['cli/start.ts', '--port', '0'])
    await service.printed(/Listening on/)
    for (const engine of enginesOf(service.child.pid as number)) process.kill(engine, 'SIGKILL')
    expect(await service.ended).toMatchObject({ code: 1, printed: expect.stringContaining('all data with it') })
  })

  test('says so if nothing answers at DYNAMODB_ENDPOINT, or something else does', async () => {
    const start = async (onConnection: (socket: Socket) => void) => {
      const sockets: Socket[] = []
      const other = createServer((socket) => {
        sockets.push(socket.on('error', () => {}))
        onConnection(socket)
      })
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as AddressInfo
      const { printed, code } = await run(['cli/start.ts', '--port', '0'], {
        DYNAMODB_ENDPOINT: `http://127.0.0.1:${port}`,
      }).ended
      for (const socket of sockets) socket.destroy()
      other.close()
      expect(code).toBe(1)
      return printed
    }
    const html = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>'
    const [silent, other] = await Promise.all([
      start((socket) => socket.resume()),
      start((socket) => socket.once('data', () => socket.end(html))),
    ])
    expect(silent).toMatch(/^The database at http:\S+ does not answer \(TimeoutError\)\. The command gave up after \d/)
    expect(other).toMatch(/^What answers at http:\S+ is no DynamoDB\. Check the address\.\n$/)
  })
})
