import { execFileSync } from 'node:child_process'
import { existsSync, unwatchFile } from 'node:fs'
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { catalogFile, loadDemo } from '../../cli/start/load.ts'
import { databaseFile, engineBinary, loopback } from '../../local/engine.ts'
import { commanded, refusal } from '../cli/environment.ts'
import { MemoryTables } from '../simulation/memory-tables.ts'
import { acmeTenant, keys, people, put, revised } from '../support/catalog.ts'
import { run, started, withoutLimits } from '../support/command.ts'
import { newTables, sentBy } from '../support/database.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'

const post = (address: string, body: object, key?: string) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify(body),
  })

/** Kills the engine that a service has started, which is its grandchild. */
function killEngineOf(service: number | undefined): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const processes = rows.map((row) => row.trim().split(/\s+/))
  const childrenOf = (parent: string) => processes.filter(([, ppid]) => ppid === parent)
  const engines = childrenOf(String(service))
    .flatMap(([shell = '']) => childrenOf(shell))
    .filter(([, , name]) => name?.startsWith('dynoxide'))
  expect(engines).toHaveLength(1)
  for (const [pid] of engines) process.kill(Number(pid), 'SIGKILL')
}

const account = put('account', { id: 'own', name: 'Own' })
const anyPort = ['--port', '0']

// Each test starts the service, some of them more than once.
describe('npm start', slow, () => {
  const directory = temporaryDirectory()
  const small = () => fileIn(directory, 'small.ndjson', [account])

  test('keeps its keys and data with --data, for one service alone, and loads once', async () => {
    const data = join(directory, 'data')
    const catalog = await fileIn(directory, 'people.ndjson', people)
    const first = await started('--data', data, '--catalog', catalog)
    expect((await stat(data)).mode & 0o777).toBe(0o700)
    const endUser = { deploymentId: 1, externalId: 'user-1' }
    const generated = await post(`${first.url}/api/v1/embed/generate-session`, endUser, keys.admin)
    const session = (await generated.json()) as { sessionId: string }
    const keySet = await (await fetch(`${first.url}/.well-known/jwks.json`)).json()
    const link = join(directory, 'link')
    await symlink(data, link)
    const another = await commanded('start', [...anyPort, '--data', link])
    expect(another).toMatchObject(refusal(RegExp(`^Another service uses ${link}\\.`)))
    // Nobody reaches the service from elsewhere, and no page finds the engine.
    await expect(fetch(first.url.replace('.1:', '.2:'))).rejects.toThrow('fetch failed')
    expect(loopback() === '127.0.0.1').toBe(process.platform === 'darwin')
    killEngineOf(first.pid)
    const { code, printed } = await first.ended
    expect([code, printed.split('\n').at(-2)]).toEqual([
      1,
      'The embedded DynamoDB engine has ended. Start the service again.',
    ])

    const origin = 'https://app.example'
    const again = ['--data', data, '--catalog', catalog, '--cors-origin', origin]
    const second = await started(...again)
    const redeem = async () =>
      (await post(`${second.url}/api/v1/embed/session/token`, session)).status
    const headers = { origin: 'https://other.example' }
    const answer = await fetch(`${second.url}/.well-known/jwks.json`, { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(await answer.json()).toEqual(keySet)
    expect([await redeem(), await redeem()]).toEqual([200, 401])
    await second.printed(
      /^POST \/api\/v1\/embed\/session\/token 200 \d+ ms, \d calls, \d units {2}\S+$/m,
    )
    const ended = await second.end('SIGTERM')
    expect(ended).toEqual({ code: 0, printed: expect.stringContaining('is loaded already.') })
    expect(ended.printed).not.toMatch(/Loading|No API key/)
  })

  test('loads a saved catalog again, and names the line of what it can’t apply', async () => {
    const tenant = (revision: number, displayName: string) =>
      revised(revision, acmeTenant('north', { displayName }))
    const others = people.map((change) => revised(1, change))
    const save = (...changes: readonly (object | string)[]) =>
      fileIn(directory, 'edited.ndjson', [...others, ...changes])
    const file = await save()
    const first = await started('--catalog', file, '--watch')
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
        `line ${line}: [^\n]* raise its revision\nline ${next}: [\\s\\S]*applied 0, ` +
          `skipped ${line}, refused 1, failed 0`,
      ),
    )
    expect(await tenants()).toEqual([expect.objectContaining({ displayName: 'North' })])
    await rm(file)
    await first.printed(/Cannot read \S+: there is no such file\./)
    await save(tenant(2, 'South'))
    await first.printed(/was saved: applied 1, skipped \d+, refused 0, failed 0\n$/)
    expect(await tenants()).toEqual([expect.objectContaining({ displayName: 'South' })])
    await first.end()
  })

  /** Loads a catalog of one account, and gives what is said. */
  async function load(storage: Storage, name: string, revision?: number) {
    let said = ''
    const output = { write: (text: string) => (said += text) }
    const change = { ...put('account', { id: 'own', name }), revision }
    const path = await fileIn(directory, 'own.ndjson', [change])
    await (await catalogFile(path, directory, { out: output, err: output })).load(storage)
    return said
  }

  test('tells at each start of a line that has no effect', async () => {
    const storage = await newTables()
    expect(await load(storage, 'Own', 1)).not.toContain('line 1: ')
    expect(await load(storage, 'Own', 1)).toContain('is loaded already')
    expect(await load(storage, 'Renamed', 2)).toContain('applied 1, ')
    for (const start of ['first', 'second']) {
      const said = expect.stringContaining('line 1: ')
      expect([start, await load(storage, 'Other', 2)]).toEqual([start, said])
    }
  })

  test('loads a file again after the load of another one was interrupted', async () => {
    const storage = await newTables()
    await load(storage, 'First')
    const stopping = sentBy(storage, (command, on) =>
      command.constructor.name === 'PutCommand' ? Promise.reject(new Error('ended')) : on(command),
    )
    await expect(load(stopping, 'Second')).rejects.toThrow('ended')
    expect(await load(storage, 'First')).not.toContain('is loaded already')
  })

  test('loads the demo again after its load was interrupted, and no second time', async () => {
    const { storage } = new MemoryTables()
    let said = ''
    const load = async (from = storage) => {
      said = ''
      await loadDemo(from, { write: (text: string) => (said += text) }, directory)
      return said
    }
    let puts = 0
    const { promise: isEnding, resolve } = Promise.withResolvers<void>()
    // As a process that is killed, it goes on with nothing.
    const ending = sentBy(storage, (command, on) => {
      if (command.constructor.name === 'PutCommand') puts += 1
      if (puts <= 100) return on(command)
      resolve()
      return new Promise(() => {})
    })
    void load(ending)
    await isEnding
    expect(await load()).toMatch(/applied \d+, skipped \d+, refused 0, failed 0/)
    expect(await load()).toBe('')
  })

  test('loads the first file again after a save of another one that broke off', async () => {
    const storage = await newTables()
    let said = ''
    const output = { write: (text: string) => (said += text) }
    const path = await fileIn(directory, 'undone.ndjson', [account])
    const file = await catalogFile(path, undefined, { out: output, err: output })
    await file.load(storage)
    file.watch(storage)
    onTestFinished(() => unwatchFile(path))
    const whole = await readFile(path)
    const broken = gzipSync(whole).subarray(0, -1)
    // A save before the first look of `watchFile` is not seen, so it comes again.
    const saved = async () => {
      await writeFile(path, broken)
      return said
    }
    await expect.poll(saved, { interval: 1000 }).toContain('its gzip data ends too early')
    await writeFile(path, whole)
    await expect.poll(() => said).toContain('was saved: applied')
  })

  test('says how to make a key of a gzipped catalog, and ends with its engine', async () => {
    const place = join(directory, 'example')
    await commanded('catalog', ['init', place])
    const catalog = await fileIn(
      place,
      'catalog.ndjson.gz',
      await readFile(join(place, 'catalog.ndjson')),
    )
    const start = [...withoutLimits, 'cli/embed-access.ts', 'start', '--catalog', catalog]
    const { child, printed, ended } = run(start, { PORT: '0' })
    const [, url = ''] = await printed(
      /DYNAMODB_ENDPOINT=(http:\/\/127\.0\.0\.1:\d+)\/_local\/dynamodb\s/,
    )
    const [, command = ''] = await printed(
      /npx embed-access keys (create --url \S+ --account \S+ --user \d+)\n/,
    )
    const [key] = /^sk-\S+/m.exec((await commanded('keys', command.split(' '))).printed) ?? []
    const endUser = { deploymentId: 1, embedTenantName: 'blue-river', groups: ['emea'] }
    const session = await post(`${url}/api/v1/embed/generate-session`, endUser, key)
    const redeemed = await post(
      `${url}/api/v1/embed/session/token`,
      (await session.json()) as object,
    )
    expect(redeemed.status).toBe(200)
    const listed = await commanded('keys', ['list', '--account', 'northwind', '--url', url])
    expect(listed.printed).toMatch(/made \d{4}/)
    killEngineOf(child.pid)
    const said = expect.stringContaining('all data with it')
    expect(await ended).toMatchObject({ code: 1, printed: said })
  })

  const notValid =
    /^line 2: \/data\/id [\s\S]*\nline 3: .*\n.* Nothing was written, and nothing is served\.\n$/
  const bad = () =>
    fileIn(directory, 'bad.ndjson', [account, put('account', { id: 1 }), 'not json'])
  const none = join(directory, 'none')
  const open = async (mode: number) => {
    const place = join(directory, `open-${mode}`)
    await mkdir(place)
    await writeFile(databaseFile(place), 'none')
    await chmod(place, mode)
    return place
  }

  test.each([
    ['which lines are not valid', async () => ['--data', none, '--catalog', await bad()], notValid],
    ['that a catalog is missing', () => ['--catalog', none], /^Cannot read .*none: there is no /],
    [
      'that a file is no directory',
      async () => ['--data', await small()],
      /^.* is no directory\.\n$/,
    ],
    [
      'what no directory is in',
      async () => ['--data', `${await small()}/x`],
      /x is no directory\./,
    ],
    [
      'which directory cannot be made',
      () => ['--data', process.platform === 'linux' ? '/proc/x/y' : 'x\0'],
      /^The directory '.+' cannot be made: E\w+\.\n$/,
    ],
    [
      'that a group may open it',
      async () => ['--data', await open(0o710)],
      /^Others .* chmod 700 /,
    ],
    ['that all may open it', async () => ['--data', await open(0o701)], /^Others .* chmod 700 /],
    ['why no engine starts', async () => ['--data', await open(0o700)], /did not start\. .*\w/],
  ])('ends with 1 and says %s', async (_, options, said) => {
    expect(await commanded('start', [...anyPort, ...(await options())])).toMatchObject(
      refusal(said),
    )
    expect(existsSync(none)).toBe(false)
  })

  test('ends with 1 and says that a port is in use', async () => {
    const { port } = new URL((await serving(() => {})).url)
    expect(await commanded('start', `--port ${port} --catalog ${await small()}`)).toMatchObject(
      refusal(`Port ${port} is in use. Choose another with --port.`),
    )
  })

  test('has no engine on some platforms, and names a command for another', () => {
    expect(() => engineBinary({ platform: 'linux', arch: 's390x' })).toThrow(
      /^There is no embedded DynamoDB engine for linux-s390x\. Run `docker run .+DYNAMODB_ENDPOINT/,
    )
  })

  test('says so if nothing answers at DYNAMODB_ENDPOINT, or something else does', async () => {
    const silent = await serving(() => {})
    const other = await serving((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>'),
    )
    for (const [{ url }, said] of [
      [silent, /^The database at http:\S+ does not answer \(TimeoutError\)\. The command gave up /],
      [other, /^What answers at http:\S+ is no DynamoDB\. Check the address\.\n$/],
    ] as const) {
      const env = { DYNAMODB_ENDPOINT: url }
      expect(await commanded('start', anyPort, { env })).toMatchObject(refusal(said))
    }
  })
})
