import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { embeddedPage } from '../../local/embedded-page.ts'
import { appBefore, localApp } from '../../local/local-app.ts'
import type { Account, AccountThings, Schemas, Things } from '../../local/playground/api.ts'
import { timeLeft } from '../../local/playground/duration.ts'
import { snippets } from '../../local/playground/snippets.ts'
import { playgroundPages } from '../../local/playground-pages.ts'
import { pageByPage } from '../simulation/directed.ts'
import { filledMemory } from '../support/filled-tables.ts'
import {
  acmeTenant,
  allEmbedUsers,
  demoChanges,
  embedTenant,
  folder,
  people,
  publishedDashboard,
  put,
  share,
  userKey,
  without,
  workbook,
  world,
} from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'
import { listening } from '../support/temporary.ts'

const north = embedTenant('north')
const admin = { accountId: 'own', roles: ['admin'], deploymentIds: 'all' }
const service = world(
  [
    ...demoChanges(),
    put('account', { id: 'own', name: 'Own', embeddingEnabled: true }),
    put('user', { ...admin, id: 1, email: 'Ada@own.example' }),
    put('user', { ...admin, id: 2, email: 'two@own.example', username: 'twin' }),
    put('user', { ...admin, id: 3, email: 'three@own.example', username: 'twin' }),
    userKey('own', 1, 'sk-ada'),
    put('deployment', { accountId: 'own', id: 5, name: 'Five' }),
    put('embedTenant', { accountId: 'own', name: 'north' }),
    folder(5, 1, null, 'Root'),
    folder(5, 2, 1, 'Below'),
    workbook(5, 7, { folderId: 2, name: 'Sales', publishedDashboard: publishedDashboard(5, 7) }),
    workbook(5, 8, {
      name: 'Alone',
      publishedDashboard: publishedDashboard(5, 8, { title: 'Board' }),
    }),
    share(5, 'folder', 1, allEmbedUsers),
    share(5, 'workbook', 8, north),
    without(share(5, 'workbook', 8, north)),
  ],
  { isInMemory: true },
)

const pages = playgroundPages(service.storage, () => service.now)
type Explained = Schemas['AccessExplanation'] & { facts: string[] }
let url = ''
beforeAll(async () => {
  pages.route('/', embeddedPage(service.url))
  const app = localApp().route('/', pages)
  const served = await listening(
    createServer(appBefore((_, response) => response.writeHead(404).end('gateway'), app)),
  )
  url = served.url
  return served.end
})

test.each([
  [86_399_000, 'expires in 23 h 59 min'],
  [60_000, 'expires in 1 min'],
  [400, 'expires in 400 ms'],
  [999.7, 'expires in 1 s'],
  [0.2, 'expires in 1 ms'],
  [0, 'has expired'],
  [-90_000, 'has expired'],
])('a token that has %s ms left %s', (left, said) => {
  expect(timeLeft(left)).toBe(said)
})

test('the playground is no part of the service itself', async () => {
  for (const { path } of pages.routes) {
    expect((await service.get(path)).status, path).toBe(404)
  }
})

test('the playground comes before the gateway, and its policy allows its files alone', async () => {
  const page = await fetch(`${url}/?any=query`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy')
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
  expect(policy).toMatch(/require-trusted-types-for 'script'$/)
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const text = await page.text()
  expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|https?:\/\//)
  const files = [...text.matchAll(/(?:src|href)="(\/playground\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  )
  expect(files.length).toBeGreaterThan(2)
  for (const path of files) expect((await fetch(url + path)).status, path).toBe(200)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await fetch(`${url}/playground/tsconfig.json`)).status).toBe(404)
  expect((await fetch(`${url}/playground/..%2Fstart.ts`)).status).toBe(404)
})

test('the script of the playground is one file of JavaScript', async () => {
  const script = await fetch(`${url}/playground/main.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const text = await script.text()
  expect(text).not.toMatch(/import type|: Directory\b|^\s*(import|export)\b.* from ['"]/m)
  expect(text).toContain('//# sourceMappingURL=data:')
})

describe('the embedded page', () => {
  const at = '/playground/embedded/'
  const policyOf = async (address: string) =>
    (await fetch(address)).headers.get('content-security-policy') ?? ''

  test('is on another origin, and only the playground can embed it', async () => {
    const other = url.replace('127.0.0.1', 'localhost')
    expect(await policyOf(url)).toContain(`; frame-src ${other}${at};`)
    expect(await policyOf(url)).toContain(`; frame-ancestors 'none';`)
    expect(await policyOf(other)).toContain(`; frame-src ${url}${at};`)
    const policy = await policyOf(other + at)
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).toMatch(new RegExp(`; frame-ancestors ${url}$`))
    expect(policy).toContain(`; connect-src ${other}${at} ${other}/api/v1/embed/session `)
    const page = await fetch(other + at, { headers: { origin: 'https://evil.example' } })
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    const text = await page.text()
    expect(text).toContain(`data-api-url="${other}" data-host="${url}"`)
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
    for (const file of [...files, 'session.js', 'client.js', 'embed-frame.js'])
      expect((await fetch(other + at + file)).status, file).toBe(200)
    for (const file of ['application.ts', '..%2Fembed.py', 'web.ts'])
      expect((await fetch(other + at + file)).status, file).toBe(404)
  })

  test('is at the other name on port 80 too, which no Host has', async () => {
    const answer = await pages.request(at, { headers: { host: 'localhost' } })
    const policy = answer.headers.get('content-security-policy')
    expect(policy).toMatch(/; frame-ancestors http:\/\/127\.0\.0\.1$/)
  })

  test('shows what its token opens, and nothing with another one', async () => {
    const workbooks = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      const answer = await fetch(`${url}${at}workbooks`, { headers })
      return answer.ok ? ((await answer.json()) as { name: string }[]) : answer.status
    }
    const { newToken } = sessionsOf(service)
    const token = await newToken({ deploymentId: 5, embedTenantName: 'north' }, 'sk-ada')
    expect(await workbooks(token)).toEqual([{ name: 'Sales' }])
    expect(await workbooks(await newToken({ deploymentId: 5 }, 'sk-ada'))).toHaveLength(1)
    const internal = { deploymentId: 5, internalId: 'ada@own.example' }
    expect(await workbooks(await newToken(internal, 'sk-ada'))).toEqual([])
    for (const other of ['', 'x.y.z', 'sk-ada', `${token.slice(0, -8)}AAAAAAAA`])
      expect(await workbooks(other), other).toBe(401)
  })
})

describe('what the playground offers:', () => {
  test('every demo key is there, and what is said about it is true', async () => {
    const accounts = await told<Account[]>('accounts')
    const names = ['Harborline Home Supply', 'Own', 'Tidewater Clinics (embedding is off)']
    expect(accounts.map(({ name }) => name)).toEqual(names)
    expect(accounts[0]?.users.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    const all = [1001, 1002, 2001]
    const deploymentsOf: Record<string, number[]> = {}
    for (const { users, keys } of accounts)
      for (const { key, email, about } of keys) {
        const user = users.find((each) => each.email === email)
        expect(about).toContain(`${user?.firstName}, ${user?.isAdmin ? 'an' : 'not an'} admin; `)
        const listOf = (id: number) => `/api/v1/deployments/${id}/dbt-sync`
        const replies = await Promise.all(all.map((id) => service.get(listOf(id), { key })))
        deploymentsOf[about] = all.filter((_, index) => replies[index]?.status === 200)
      }
    expect(deploymentsOf).toEqual({
      'Ines, an admin; reads every deployment': [1001, 1002],
      'Tobias, an admin; the key is scoped to deployment 1001': [1001],
      'Priya, not an admin; reads deployment 1001 only': [1001],
      'Odile, an admin; reads every deployment': [2001],
      'Ines, an admin; reads every deployment; expired on 2026-01-01': [],
    })
  })

  test('an account has deployments, groups, tenants and users', async () => {
    const { deployments, groups } = await told<AccountThings>('account', { account: 'harborline' })
    expect(deployments.map(({ id }) => id)).toEqual([1001, 1002])
    expect(groups).toContain('emea')
    const things = await partsOf('harborline', '1001')
    const tenants = things.flatMap(({ embedTenants }) => embedTenants)
    expect(tenants).toHaveLength(6)
    const bath = { name: 'brightwater', displayName: 'Brightwater Bath' }
    expect(tenants).toContainEqual({ ...bath, groups: ['buyers', 'logistics'] })
    const endUsers = things.flatMap(({ endUsers }) => endUsers)
    expect(endUsers).toContainEqual({ embedTenantName: 'alder-oak', externalId: 'ao-1002' })
    const own = await partsOf('own', '5')
    expect(own.flatMap(({ embedTenants }) => embedTenants)).toEqual([{ name: 'north', groups: [] }])
    expect(own.flatMap(({ workbooks }) => workbooks)).toContainEqual({ id: 7, name: 'Sales' })
    expect(own.flatMap(({ endUsers }) => endUsers)).toEqual([])
    const titles = own.flatMap(({ dashboards }) =>
      dashboards.map(({ publicId, title }) => [publicId, title]),
    )
    expect(Object.fromEntries(titles)).toEqual({ 'public-7': 'Sales', 'public-8': 'Board' })
  })

  test('what was deleted is offered no more', async () => {
    const user = put('user', { ...admin, accountId: 'gone', id: 5, email: 'eve@gone.example' })
    const all = [
      put('account', { id: 'gone', name: 'Gone', embeddingEnabled: true }),
      put('user', { ...admin, id: 4, email: 'four@own.example' }),
      put('deployment', { accountId: 'own', id: 6, name: 'Six' }),
      put('group', { accountId: 'own', name: 'former' }),
      put('embedTenant', { accountId: 'own', name: 'south' }),
    ]
    await service.apply([user, ...all])
    await service.apply(all.map(without))
    const accounts = await told<Account[]>('accounts')
    expect(accounts.map(({ id }) => id)).toEqual(['harborline', 'own', 'tidewater'])
    expect(accounts[1]?.users.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(await told('account', { account: 'own' })).toEqual({
      deployments: [{ id: 5, name: 'Five' }],
      groups: [],
    })
    const things = await partsOf('own', '5')
    expect(things.flatMap(({ embedTenants }) => embedTenants)).toHaveLength(1)
  })

  test('a cursor of nobody is refused', async () => {
    expect(await told('things', { account: 'own', deployment: '5', after: 'x' })).toEqual({
      message: 'after is none of the cursors that were given.',
    })
  })

  test('a large catalog comes part by part, and nothing of it is missing', async () => {
    const workbooks = Array.from({ length: 20 }, (_, id) => workbook(1, id))
    const { storage } = await filledMemory([...people, acmeTenant('north'), ...workbooks])
    const large = playgroundPages(pageByPage(storage), () => service.now)
    async function ask<T>(name: string, query: Record<string, string> = {}): Promise<T> {
      return (await (await large.request(address(name, query))).json()) as T
    }
    const parts = await partsOf('acme', '1', ask)
    expect(parts.length).toBeGreaterThan(1)
    const ids = parts.flatMap(({ workbooks }) => workbooks.map(({ id }) => id))
    expect(ids.toSorted((a, b) => a - b)).toEqual(workbooks.map((_, id) => id))
    expect(parts.flatMap(({ embedTenants }) => embedTenants)).toHaveLength(1)
    expect(await ask<Account[]>('accounts')).toHaveLength(3)
  })
})

describe('why a tenant sees a workbook:', () => {
  const explained = (workbook: string) =>
    told<Explained>('explain', { deployment: '5', tenant: 'North', workbook })
  const shares = (ofTenant: string, ofAll: string) => [
    { grantee: north, state: ofTenant },
    { grantee: allEmbedUsers, state: ofAll },
  ]

  test('the path of folders comes with the shares of each place', async () => {
    const { isSeen, path, facts } = await explained('7')
    expect(path).toEqual([
      { type: 'folder', id: 1, name: 'Root', shares: shares('notShared', 'shared') },
      { type: 'folder', id: 2, name: 'Below', shares: shares('notShared', 'notShared') },
      { type: 'workbook', id: 7, name: 'Sales', shares: shares('notShared', 'notShared') },
    ])
    expect(isSeen).toBe(true)
    expect(facts).toContain('Folder 1 ("Root") is shared with all embed users.')
  })

  test('what is not there has facts and no path; what is no id is refused', async () => {
    const facts = expect.arrayContaining(['Workbook 99 has not arrived.'])
    expect(await explained('99')).toMatchObject({ isSeen: false, facts, path: [] })
    const largest = expect.arrayContaining([`Workbook ${Number.MAX_SAFE_INTEGER} has not arrived.`])
    expect(await explained('9007199254740991')).toMatchObject({ facts: largest })
    for (const id of ['x', '9007199254740993'])
      expect(await explained(id)).toEqual({ message: 'workbook must be an integer.' })
    expect(await told('explain', { deployment: '5', workbook: '7' })).toEqual({
      message: 'tenant is missing.',
    })
  })
})

describe('a key that is made', () => {
  const make = async (user: string, origin = url) => {
    const headers = { origin }
    const answer = await fetch(`${url}/playground/key.json?account=own&user=${user}`, {
      method: 'POST',
      headers,
    })
    return answer.ok || answer.status === 400 ? await answer.json() : answer.status
  }

  test('opens the API for its user, for a day', async () => {
    const { key } = (await make('ada@own.example')) as { key: string }
    const list = '/api/v1/deployments/5/embed-tenants/north/workbooks'
    expect((await service.get(list, { key })).status).toBe(200)
    service.now += 24 * 3_600_000
    expect((await service.get(list, { key })).status).toBe(401)
  })

  test('is of one user, whom the account has', async () => {
    expect(await make('nobody')).toEqual({ message: 'The account has no user nobody.' })
    expect(await make('twin')).toEqual({ message: 'Several users of the account are called twin.' })
  })

  test('is made for the page of this server alone', async () => {
    for (const origin of ['https://evil.example', 'null', ''])
      expect(await make('ada@own.example', origin)).toBe(404)
    expect(
      (await fetch(`${url}/playground/key.json?account=own&user=ada@own.example`)).status,
    ).toBe(404)
  })
})

describe('a request as code', () => {
  const externalId = `it's '''' "ümlaut" \\`
  const body = {
    deploymentId: 1001,
    externalId: `${externalId} \n`,
    creatorMode: false,
    securityContext: { none: null },
  }
  const asked = {
    method: 'POST',
    path: '/api/v1/embed/generate-session?dryRun=true',
    headers: { Authorization: `Bearer ${demoKeys.admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body, null, 2),
  } as const

  // Not in this process: the service runs in it, and must answer.
  const commands: Record<string, (code: string) => [string, string[]]> = {
    curl: (code) => ['sh', ['-c', `${code} -s`]],
    Node: (code) => [process.execPath, ['--input-type=module', '-e', code]],
    Python: (code) => ['python3', ['-c', code]],
  }
  test.for(Object.entries(snippets))('runs with %s', async ([language, asCode], { skip }) => {
    const [command, args] = (commands[language] as (code: string) => [string, string[]])(
      asCode(asked, service.url),
    )
    skip(spawnSync(command, ['-c', '']).error !== undefined, `There is no ${command}.`)
    const { stdout } = await promisify(execFile)(command, args)
    expect(stdout).toContain('200')
    const { claims } = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.lastIndexOf('}') + 1))
    expect(claims).toMatchObject({
      externalId,
      creatorMode: false,
      securityContext: { none: null },
    })
  })
})

type Ask = <T>(name: string, query?: Record<string, string>) => Promise<T>

const address = (name: string, query: Record<string, string>) =>
  `/playground/${name}.json?${new URLSearchParams(query)}`

async function told<T>(name: string, query: Record<string, string> = {}): Promise<T> {
  return (await (await fetch(url + address(name, query))).json()) as T
}

async function partsOf(account: string, deployment: string, ask: Ask = told): Promise<Things[]> {
  const parts: Things[] = []
  for (let after: string | undefined = ''; after !== undefined; after = parts.at(-1)?.next) {
    parts.push(await ask<Things>('things', { account, deployment, ...(after && { after }) }))
  }
  return parts
}
