import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { freePort } from '../../local/engine.ts'
import { run } from '../support/command.ts'
import { slow } from '../support/time.ts'

// Each test starts the service, some of them more than once.
describe('npm start', slow, () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  test('serves the demo catalog, and its keys and data outlive a restart with --data', async () => {
    const data = join(directory, 'data')
    const start = async () => {
      const service = run(['cli/start.ts', '--port', '0', '--data', data])
      const [, url] = await service.printed(/Listening on (http:\/\/127\.0\.0\.1:\d+)/)
      return { ...service, url: url as string }
    }
    const first = await start()
    await first.printed(new RegExp(`${demoKeys.admin}[^]*curl`))
    const authorization = `Bearer ${demoKeys.admin}`
    const generated = await fetch(`${first.url}/api/v1/embed/generate-session`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        deploymentId: 1001,
        embedTenantName: 'alder-oak',
        internalId: undefined,
        externalId: 'user-1',
      }),
    })
    const { sessionId } = (await generated.json()) as { sessionId: string }
    const keySet = await (await fetch(`${first.url}/.well-known/jwks.json`)).json()
    first.child.kill('SIGINT')
    expect((await first.ended).code).toBe(0)

    const second = await start()
    const redeem = () =>
      fetch(`${second.url}/api/v1/embed/session/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sessionId }),
      })
    expect(await (await fetch(`${second.url}/.well-known/jwks.json`)).json()).toEqual(keySet)
    expect([(await redeem()).status, (await redeem()).status]).toEqual([200, 401])
    await second.printed(/^POST \/api\/v1\/embed\/session\/token 200 \d+ ms, \d calls, \d units {2}\S+$/m)
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
  })

  test('loads a catalog of one’s own, gzipped or not', async () => {
    const file = join(directory, 'own.ndjson.gz')
    const changes = [
      { kind: 'account', data: { id: 'own', name: 'Own' } },
      { kind: 'deployment', data: { accountId: 'own', id: 5, name: 'Five' } },
      { kind: 'user', data: { accountId: 'own', id: 1, email: 'me@own.example', roles: [], deploymentIds: 'all' } },
      { kind: 'apiKey', data: { accountId: 'own', userId: 1, name: 'k', tokenHash: hashOfApiKey('sk-own') } },
    ]
    await writeFile(file, gzipSync(changes.map((change) => JSON.stringify(change)).join('\n')))
    const service = run(['cli/start.ts', '--port', '0', '--catalog', file])
    const [, url] = await service.printed(/Listening on (\S+)/)
    const reply = await fetch(`${url}/api/v1/deployments/5/dbt-sync`, { headers: { authorization: 'Bearer sk-own' } })
    expect(reply.status).toBe(200)
    service.child.kill('SIGINT')
    await service.ended
  })

  test('loads a catalog again when it is saved, and says with its line what can’t be applied', async () => {
    const file = join(directory, 'edited.ndjson')
    const data = join(directory, 'edited')
    const tenant = (revision: number, data: object) => ({
      kind: 'embedTenant',
      revision,
      data: { accountId: 'own', name: 'north', ...data },
    })
    const user = { accountId: 'own', id: 1, email: 'me@own.example', roles: ['admin'], deploymentIds: 'all' }
    const others = [
      { kind: 'account', revision: 1, data: { id: 'own', name: 'Own', embeddingEnabled: true } },
      { kind: 'deployment', revision: 1, data: { accountId: 'own', id: 5, name: 'Five' } },
      { kind: 'user', revision: 1, data: user },
      {
        kind: 'apiKey',
        revision: 1,
        data: { accountId: 'own', userId: 1, name: 'k', tokenHash: hashOfApiKey('sk-own') },
      },
    ]
    const save = (...changes: readonly (object | string)[]) =>
      writeFile(
        file,
        [...others, ...changes].map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
      )
    const start = () => run(['cli/start.ts', '--port', '0', '--data', data, '--catalog', file, '--watch'])
    const end = async ({ child, ended }: ReturnType<typeof run>) => {
      child.kill('SIGINT')
      return (await ended).printed
    }
    const tenantsAt = async (url = '') => {
      const answer = await fetch(`${url}/playground/things.json?account=own&deployment=5`)
      return ((await answer.json()) as { embedTenants: { displayName?: string }[] }).embedTenants
    }

    await save()
    const first = start()
    const [, url] = await first.printed(/Listening on (\S+)[\s\S]*Edits of \S+ are loaded when they are saved\./)
    await save(tenant(1, { displayName: 'North' }))
    await first.printed(/was saved: applied 1, skipped 4, refused 0, failed 0/)
    expect(await tenantsAt(url)).toEqual([expect.objectContaining({ displayName: 'North' })])
    await save(tenant(1, { displayName: 'South' }), '{"kind":"embedTenant",')
    await first.printed(
      /line 5: [^\n]* raise its revision\nline 6: [^\n]*\n[\s\S]*applied 0, skipped 5, refused 1, failed 0/,
    )
    expect(await tenantsAt(url)).toEqual([expect.objectContaining({ displayName: 'North' })])
    await rm(file)
    await first.printed(/Cannot read \S+: there is no such file\./)
    await save(tenant(2, { displayName: 'South' }))
    await first.printed(/was saved: applied 1, skipped 4, refused 0, failed 0\n$/)
    expect(await tenantsAt(url)).toEqual([expect.objectContaining({ displayName: 'South' })])
    await end(first)

    const second = start()
    await second.printed(/is loaded already\. It has not changed since\.[\s\S]*Edits of/)
    expect(await end(second)).not.toContain('Loading')
    await save(tenant(3, { displayName: 'West' }))
    const third = start()
    await third.printed(/Loading \S+ …\n {2}applied 1, skipped 4, refused 0, failed 0\n[\s\S]*Edits of/)
    await end(third)
  })

  test('writes nothing of a catalog with a line that is not valid', async () => {
    const file = join(directory, 'half.ndjson')
    const data = join(directory, 'half')
    await writeFile(file, '{"kind":"account","data":{"id":"own","name":"Own"}}\n{"kind":"account","data":{"id":1}}\n')
    expect(await run(['cli/start.ts', '--port', '0', '--data', data, '--catalog', file]).ended).toEqual({
      code: 1,
      printed: expect.stringMatching(/line 2: \/data\/id [\s\S]*Nothing was written, and nothing is served\.\n$/),
    })
    expect(existsSync(data)).toBe(false)
  })

  test('has its database at its own address', async () => {
    const port = await freePort()
    const service = run(['cli/start.ts', '--port', String(port)])
    const [, address] = await service.printed(/DYNAMODB_ENDPOINT=(\S+)/)
    expect(address).toBe(`http://127.0.0.1:${port}/_local/dynamodb`)
    service.child.kill('SIGINT')
    await service.ended
  })

  test.each([
    [['21000'], { npm_config_port: 'true' }, '--port'],
    [[], { npm_config_port: '21000' }, '--port'],
    [['d', 'f'], { npm_config_data: 'true', npm_config_catalog: 'true' }, '--data and --catalog'],
  ])('says that -- was forgotten where npm leaves %j and %j', async (args, env, words) => {
    const [first] = words.split(' ')
    expect(await run(['cli/start.ts', ...args], { npm_lifecycle_event: 'start', ...env }).ended).toEqual({
      code: 1,
      printed: `npm took ${words} for itself. Write -- before the options: npm start -- ${first} …\n`,
    })
  })

  test('says how to make a key of the example catalog; a restart loads nothing', async () => {
    const place = join(directory, 'example')
    const data = join(place, 'data')
    const written = await run(['cli/catalog.ts', 'init', place]).ended
    expect(written).toMatchObject({ code: 0, printed: expect.stringContaining('catalog.ndjson') })
    const again = await run(['cli/catalog.ts', 'init', place]).ended
    expect(again).toMatchObject({ code: 1, printed: expect.stringContaining('is there already') })

    const catalog = join(place, 'catalog.ndjson')
    const first = run(['cli/start.ts', '--port', '0', '--catalog', catalog, '--data', data])
    const [, url = '', command = ''] = await first.printed(
      /Listening on (\S+)[\s\S]*npm run keys -- (create --url \S+ --account \S+ --user \d+)\n/,
    )
    const { printed } = await run(['cli/keys.ts', ...command.split(' ')]).ended
    const [key] = /^sk-\S+/m.exec(printed) ?? []
    const session = await fetch(`${url}/api/v1/embed/generate-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ deploymentId: 1, embedTenantName: 'blue-river', groups: ['emea'] }),
    })
    const redeemed = await fetch(`${url}/api/v1/embed/session/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await session.text(),
    })
    expect(redeemed.status).toBe(200)
    first.child.kill('SIGINT')
    await first.ended

    const { printed: keys } = await run(['cli/keys.ts', 'list', '--account', 'northwind', '--data', data]).ended
    expect(keys).toMatch(/made \d{4}/)
    const second = run(['cli/start.ts', '--port', '0', '--data', data])
    await second.printed(/The database, for/)
    second.child.kill('SIGINT')
    expect((await second.ended).printed).not.toMatch(/Loading|demo|No API key/)
  })

  test('says what is wrong with --data FILE and with the --url of no local service', async () => {
    const file = join(directory, 'a-file')
    await writeFile(file, '')
    const [start, keys] = await Promise.all(
      [
        ['cli/start.ts', '--port', '0', '--data', file],
        ['cli/keys.ts', 'list', '--account', 'a', '--url', `http://127.0.0.1:${await freePort()}`],
      ].map((options) => run(options).ended),
    )
    expect(start).toMatchObject({ code: 1, printed: expect.stringContaining('is a file') })
    expect(keys).toMatchObject({ code: 1, printed: expect.stringContaining('Start the service with npm start') })
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
    const bad = join(directory, 'bad.ndjson')
    await writeFile(
      bad,
      '{"kind":"account","data":{"id":"x","name":"X"}}\n{"kind":"account","data":{"id":1}}\nnot json\n',
    )
    const small = join(directory, 'small.ndjson')
    await writeFile(small, '{"kind":"account","data":{"id":"x","name":"X"}}\n')
    const [inUse, missing, refused, unknown, unwatched] = await Promise.all(
      [
        ['--port', String(port), '--catalog', small],
        ['--catalog', join(directory, 'none')],
        ['--port', '0', '--catalog', bad],
        ['--bogus'],
        ['--watch'],
      ].map((options) => run(['cli/start.ts', ...options]).ended),
    )
    busy.close()
    expect(inUse).toMatchObject({ code: 1, printed: expect.stringContaining(`Port ${port} is in use`) })
    expect(inUse?.printed).not.toContain('Loading')
    expect(missing).toMatchObject({ code: 1, printed: expect.stringMatching(/none/) })
    expect(refused).toMatchObject({ code: 1, printed: expect.stringMatching(/line 2: \/data\/id [\s\S]*line 3:/) })
    expect(unknown).toMatchObject({ code: 1, printed: expect.stringContaining('--bogus') })
    expect(unwatched).toEqual({ code: 1, printed: '--watch needs --catalog FILE.\n' })
    for (const end of [inUse, missing, refused, unknown]) expect(end?.printed).not.toMatch(/\n\s+at /)
  })
})
