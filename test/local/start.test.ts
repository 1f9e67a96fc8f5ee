import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { freePort } from '../../local/engine.ts'
import { keys, people, put } from '../support/catalog.ts'
import { run, started } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

const post = (address: string, body: object, key?: string) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  })

/** Kills the engine that a service has started, which is its grandchild. */
function killEngineOf(service: number | undefined): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/))
  const childrenOf = (parent: string) => processes.filter(([, ppid]) => ppid === parent)
  const engines = childrenOf(String(service))
    .flatMap(([shell = '']) => childrenOf(shell))
    .filter(([, , name]) => name?.startsWith('dynoxide'))
  expect(engines).toHaveLength(1)
  for (const [pid] of engines) process.kill(Number(pid), 'SIGKILL')
}

// Each test starts the service, some of them more than once.
describe('npm start', slow, () => {
  const directory = temporaryDirectory()

  test('serves the demo, and keeps its keys and data with --data, for one service alone', async () => {
    const data = join(directory, 'data')
    const first = await started('--data', data)
    await first.printed(new RegExp(`${demoKeys.admin}[\\s\\S]*curl`))
    const endUser = { deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'user-1' }
    const generated = await post(`${first.url}/api/v1/embed/generate-session`, endUser, demoKeys.admin)
    const session = (await generated.json()) as { sessionId: string }
    const keySet = await (await fetch(`${first.url}/.well-known/jwks.json`)).json()
    const another = await run(['cli/start.ts', '--port', '0', '--data', data]).ended
    expect(another).toMatchObject({ code: 1, printed: expect.stringContaining(`Another service uses ${data}.`) })
    killEngineOf(first.child.pid)
    const { code, printed } = await first.ended
    expect([code, printed.split('\n').at(-2)]).toEqual([
      1,
      'The embedded DynamoDB engine has ended. Start the service again.',
    ])

    const second = await started('--data', data)
    const redeem = async () => (await post(`${second.url}/api/v1/embed/session/token`, session)).status
    expect(await (await fetch(`${second.url}/.well-known/jwks.json`)).json()).toEqual(keySet)
    expect([await redeem(), await redeem()]).toEqual([200, 401])
    await second.printed(/^POST \/api\/v1\/embed\/session\/token 200 \d+ ms, \d calls, \d units {2}\S+$/m)
    expect(await second.end('SIGTERM')).toEqual({ code: 0, printed: expect.not.stringContaining('Loading') })
  })

  test('has its database at its own address, and ends with its engine', async () => {
    const port = await freePort()
    const service = run(['cli/start.ts', '--port', String(port)])
    const [, address] = await service.printed(/DYNAMODB_ENDPOINT=(\S+)/)
    expect(address).toBe(`http://127.0.0.1:${port}/_local/dynamodb`)
    killEngineOf(service.child.pid)
    expect(await service.ended).toMatchObject({ code: 1, printed: expect.stringContaining('all data with it') })
  })

  test('loads a saved catalog again, and names the line of what it can’t apply', async () => {
    const file = join(directory, 'edited.ndjson')
    const tenant = (revision: number, displayName: string) => ({
      ...put('embedTenant', { accountId: 'acme', name: 'north', displayName }),
      revision,
    })
    const others = people.map((change) => JSON.stringify({ ...change, revision: 1 }))
    const save = (...changes: readonly (object | string)[]) =>
      writeFile(
        file,
        [...others, ...changes].map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
      )
    const start = () => started('--data', join(directory, 'edited'), '--catalog', file, '--watch')

    await save()
    const first = await start()
    await first.printed(/Edits of \S+ are loaded when they are saved\./)
    const tenants = async () => {
      const answer = await fetch(`${first.url}/playground/things.json?account=acme&deployment=1`)
      return ((await answer.json()) as { embedTenants: { displayName?: string }[] }).embedTenants
    }
    await save(tenant(1, 'North'))
    await first.printed(/was saved: applied 1, skipped \d+, refused 0, failed 0/)
    expect(await tenants()).toEqual([expect.objectContaining({ displayName: 'North' })])
    await save(tenant(1, 'South'), '{"kind":"embedTenant",')
    const [line, next] = [others.length + 1, others.length + 2]
    await first.printed(
      new RegExp(
        `line ${line}: [^\n]* raise its revision\nline ${next}: [\\s\\S]*applied 0, skipped ${line}, refused 1, failed 0`,
      ),
    )
    expect(await tenants()).toEqual([expect.objectContaining({ displayName: 'North' })])
    await rm(file)
    await first.printed(/Cannot read \S+: there is no such file\./)
    await save(tenant(2, 'South'))
    await first.printed(/was saved: applied 1, skipped \d+, refused 0, failed 0\n$/)
    expect(await tenants()).toEqual([expect.objectContaining({ displayName: 'South' })])
    await first.end()

    const second = await start()
    await second.printed(/is loaded already\. It has not changed since\.[\s\S]*Edits of/)
    expect((await second.end()).printed).not.toContain('Loading')
    await save(tenant(3, 'West'))
    const third = await start()
    await third.printed(/Loading \S+ …\n {2}applied 1, skipped \d+, refused 0, failed 0\n[\s\S]*Edits of/)
    const headers = { authorization: `Bearer ${keys.reader}` }
    expect((await fetch(`${third.url}/api/v1/deployments/1/dbt-sync`, { headers })).status).toBe(200)
    await third.end()
  })

  test('writes nothing of a catalog with lines that are not valid', async () => {
    const [file, data] = [join(directory, 'bad.ndjson'), join(directory, 'bad')]
    await writeFile(
      file,
      '{"kind":"account","data":{"id":"own","name":"Own"}}\n{"kind":"account","data":{"id":1}}\nnot json\n',
    )
    expect(await run(['cli/start.ts', '--port', '0', '--data', data, '--catalog', file]).ended).toEqual({
      code: 1,
      printed: expect.stringMatching(
        /line 2: \/data\/id [\s\S]*line 3: [\s\S]*Nothing was written, and nothing is served\.\n$/,
      ),
    })
    expect(existsSync(data)).toBe(false)
  })

  test('says how to make a key of a gzipped example catalog; a restart loads nothing', async () => {
    const place = join(directory, 'example')
    const data = join(place, 'data')
    const written = await run(['cli/catalog.ts', 'init', place]).ended
    expect(written).toMatchObject({ code: 0, printed: expect.stringContaining('catalog.ndjson') })
    const again = await run(['cli/catalog.ts', 'init', place]).ended
    expect(again).toMatchObject({ code: 1, printed: expect.stringContaining('is there already') })

    const catalog = join(place, 'catalog.ndjson.gz')
    await writeFile(catalog, gzipSync(await readFile(join(place, 'catalog.ndjson'))))
    const first = await started('--catalog', catalog, '--data', data)
    const [, command = ''] = await first.printed(/npm run keys -- (create --url \S+ --account \S+ --user \d+)\n/)
    const { printed } = await run(['cli/keys.ts', ...command.split(' ')]).ended
    const [key] = /^sk-\S+/m.exec(printed) ?? []
    const endUser = { deploymentId: 1, embedTenantName: 'blue-river', groups: ['emea'] }
    const session = await post(`${first.url}/api/v1/embed/generate-session`, endUser, key)
    const redeemed = await post(`${first.url}/api/v1/embed/session/token`, (await session.json()) as object)
    expect(redeemed.status).toBe(200)
    await first.end()

    const { printed: listed } = await run(['cli/keys.ts', 'list', '--account', 'northwind', '--data', data]).ended
    expect(listed).toMatch(/made \d{4}/)
    const second = await started('--data', data)
    await second.printed(/The database, for/)
    expect((await second.end()).printed).not.toMatch(/Loading|demo|No API key/)
  })

  test.each([
    [['21000'], { npm_config_port: 'true' }, '--port'],
    [['d', 'f'], { npm_config_data: 'true', npm_config_catalog: 'true' }, '--data and --catalog'],
  ])('says that -- was forgotten where npm leaves %j and %j', async (args, env, words) => {
    const [first] = words.split(' ')
    expect(await run(['cli/start.ts', ...args], { npm_lifecycle_event: 'start', ...env }).ended).toEqual({
      code: 1,
      printed: `npm took ${words} for itself. Write -- before the options: npm start -- ${first} …\n`,
    })
  })

  test('tells all its options with --help', async () => {
    const { code, printed } = await run(['cli/start.ts', '--help']).ended
    expect(code).toBe(0)
    for (const option of ['--port', '--data', '--catalog', '--watch', 'DYNAMODB_ENDPOINT'])
      expect(printed).toContain(option)
  })

  test('ends with a plain sentence for a port in use, a bad file or option', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const { port } = busy.address() as AddressInfo
    const small = join(directory, 'small.ndjson')
    await writeFile(small, '{"kind":"account","data":{"id":"x","name":"X"}}\n')
    const noService = `http://127.0.0.1:${await freePort()}`
    const wrong: [string[], RegExp][] = [
      [
        ['cli/start.ts', '--port', `${port}`, '--catalog', small],
        /^Port \d+ is in use\. Choose another with --port\.\n$/,
      ],
      [['cli/start.ts', '--catalog', join(directory, 'none')], /none/],
      [['cli/start.ts', '--bogus'], /--bogus/],
      [['cli/start.ts', '--watch'], /^--watch needs --catalog FILE\.\n$/],
      [['cli/start.ts', '--port', '0', '--data', small], /is a file/],
      [['cli/keys.ts', 'list', '--account', 'a', '--url', noService], /Start the service with npm start/],
    ]
    const ends = await Promise.all(wrong.map(([command]) => run(command).ended))
    busy.close()
    for (const [at, [, said]] of wrong.entries())
      expect(ends[at]).toEqual({ code: 1, printed: expect.stringMatching(said) })
    for (const { printed } of ends) expect(printed).not.toMatch(/\n\s+at /)
  })

  test('says so if nothing answers at DYNAMODB_ENDPOINT, or something else does', async () => {
    const saidOf = async (onConnection: (socket: Socket) => void) => {
      const sockets: Socket[] = []
      const other = createServer((socket) => {
        sockets.push(socket.on('error', () => {}))
        onConnection(socket)
      }).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const endpoint = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
      const { printed, code } = await run(['cli/start.ts', '--port', '0'], { DYNAMODB_ENDPOINT: endpoint }).ended
      for (const socket of sockets) socket.destroy()
      other.close()
      expect(code).toBe(1)
      return printed
    }
    const html = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\nconnection: close\r\n\r\n<html>'
    const [silent, other] = await Promise.all([
      saidOf((socket) => socket.resume()),
      saidOf((socket) => socket.once('data', () => socket.end(html))),
    ])
    expect(silent).toMatch(/^The database at http:\S+ does not answer \(TimeoutError\)\. The command gave up after \d/)
    expect(other).toMatch(/^What answers at http:\S+ is no DynamoDB\. Check the address\.\n$/)
  })
})
