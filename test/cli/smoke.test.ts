import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import {
  acmeDeployment,
  acmeTenant,
  dbtSync,
  embedTenant,
  keys,
  notification,
  people,
  type Reply,
  share,
  userKey,
  workbook,
  world,
} from '../support/service.ts'
import { serving } from '../support/temporary.ts'
import { commanded, refusal } from './environment.ts'

const three = [1, 2, 3]
const service = world(
  [
    ...people,
    userKey('acme', 1, demoKeys.admin),
    acmeDeployment(1001),
    ...['north', 'alder-oak'].map((name) => acmeTenant(name)),
    ...three.map((id) => dbtSync(1, `s-${id}`)),
    ...three.map((id) => notification(1, id)),
    ...three.map((id) => workbook(1, id)),
    ...three.map((id) => share(1, 'workbook', id, embedTenant('north'))),
  ],
  { isInMemory: true },
)

const smoke = (args: string, url = service.url) =>
  commanded('smoke', `${url} --deployment 1 ${args}`, { env: { SMOKE_KEY: keys.admin } })

test('the smoke test passes against a service that is in order, whatever it serves', async () => {
  service.now = Date.now()
  const { code, output, said } = await smoke(`--issuer ${service.issuer} --tenant north`)
  expect([code, said, output.match(/^ok {2}/gm)?.length]).toEqual([0, '', 11])
})

test('without a key it tries what needs none, and makes nothing', async () => {
  const { code, output, said } = await commanded('smoke', [`${service.url}//`, '--keyless'])
  expect([code, said, output.match(/^ok {2}/gm)?.length]).toEqual([0, '', 5])
})

test('without $SMOKE_KEY it tries deployment and tenant of the demo catalog', async () => {
  service.now = Date.now()
  const { url, asked } = await changing()
  const { output } = await commanded('smoke', [url, '--issuer', service.issuer])
  expect(output.match(/^ok {2}/gm)).toHaveLength(11)
  expect(asked).toContain(
    'GET /api/v1/deployments/1001/embed-tenants/alder-oak/workbooks?first=2 sk',
  )
})

type Answer = Pick<Reply, 'status' | 'body'>

/**
 * Stands before the service, and changes some of its answers.
 * @param which begins so: method, path, and whose credential it has, if any
 */
async function changing(which = '', change: (answer: Answer) => Partial<Answer> = () => ({})) {
  const asked: string[] = []
  const { url } = await serving(async (request, response) => {
    const { method = '', headers, url: target = '' } = request
    const { authorization } = headers
    const sent = await text(request)
    const answered = await fetch(service.url + target, {
      method,
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: sent || null,
    })
    const [, credential = ''] = /^Bearer (sk-nobody|sk|ey)/.exec(authorization ?? '') ?? []
    asked.push(`${method} ${target} ${credential}`.trim())
    const answer = { status: answered.status, body: JSON.parse((await answered.text()) || 'null') }
    const isMeant = asked.at(-1)?.replace('/api/v1', '').startsWith(which)
    const { status, body } = isMeant ? { ...answer, ...change(answer) } : answer
    response.statusCode = status
    if (body !== null) response.setHeader('content-type', 'application/json')
    response.end(body === null ? '' : JSON.stringify(body))
  })
  return { url, asked }
}

const having = (change: (body: Reply['body']) => object) => (answer: Answer) => ({
  body: { ...answer.body, ...change(answer.body) },
})
const answering = (status: number) => () => ({ status })
const syncs = 'GET /deployments/1/dbt-sync'
const tenant = 'GET /deployments/1/embed-tenants/north/workbooks'
const dryRun = 'POST /embed/generate-session?dryRun=true'
const token = 'POST /embed/session/token'

/** Answers as it did the first time that all was well. */
function repeating() {
  let first: Answer | undefined
  return (answer: Answer) => {
    if (answer.status === 200) first ??= answer
    return first ?? answer
  }
}

function atAnswer(number: number, change: Partial<Answer>) {
  let answers = 0
  return () => {
    answers += 1
    return answers === number ? change : {}
  }
}

test.each([
  ['serves its specification', 'GET /spec', having(() => ({ openapi: '2.0' }))],
  ['serves its specification', 'GET /spec', having(() => ({ openapi: undefined }))],
  ['serves its specification', 'GET /spec', having(() => ({ paths: undefined }))],
  ['publishes its keys', 'GET /.well-known', having(({ keys }) => ({ keys: keys.slice(1) }))],
  [
    'publishes its keys',
    'GET /.well-known',
    having(({ keys }) => ({ keys: keys.map((key: object) => ({ ...key, d: 'private' })) })),
  ],
  ['refuses a missing credential', syncs, having(() => ({ message: 'No' }))],
  ['refuses a missing credential', syncs, answering(403)],
  ['refuses a missing credential', `${syncs} sk-nobody`, having(() => ({ code: 'other' }))],
  ['refuses a missing credential', `${syncs} sk-nobody`, having(() => ({ status: 400 }))],
  ['refuses a session that never was', token, having(() => ({ code: 'other' }))],
  ['has no other routes', 'GET /no-such-thing', having(() => ({ message: 'Other' }))],
  ['lists dbt syncs', `${syncs}?first=2 sk`, having(({ items }) => ({ items: [...items, {}] }))],
  ['lists dbt syncs', `${syncs}?first=2`, repeating()],
  ['lists notifications', 'GET /deployments/1/notifications?first=2', repeating()],
  ['lists an embed tenant’s workbooks', `${tenant}?first=2`, repeating()],
  ['lists an embed tenant’s workbooks', `${tenant}?accessSource=tenant&first=1`, answering(500)],
  ['lists an embed tenant’s workbooks', `${tenant}?accessSource=allEmb`, answering(500)],
  ['lists an embed tenant’s workbooks', `${tenant}?accessSource=folder`, answering(500)],
  ['makes a session, and a token of it once', token, repeating()],
  ['makes a session', token, having(({ expiresIn }) => ({ expiresIn: expiresIn + 1 }))],
  ['makes a session', `${syncs} ey`, answering(200)],
  [
    'takes a token of the largest size',
    dryRun,
    having((dry) => ({ tokenBytes: dry.tokenBytes + 8 })),
  ],
  [
    'takes a token of the largest size',
    dryRun,
    having(({ tokenBytes, limits: { maxTokenBytes } }) => ({
      tokenBytes: tokenBytes - 8,
      limits: { maxTokenBytes: maxTokenBytes - 16 },
    })),
  ],
  ['takes a token of the largest size', 'POST /embed/session/revoke', answering(200)],
  // The third answer to a token is after its revocation.
  ['takes a token of the largest size', `${syncs} ey`, atAnswer(3, { status: 403 })],
  // The fifth redemption is that of the session that was revoked.
  ['revokes a session before it is redeemed', token, atAnswer(5, { status: 200 })],
] as const)('it fails where the service %s no more: %s', async (check, which, change) => {
  service.now = Date.now()
  const { url } = await changing(which, change)
  const { code, said } = await smoke(`--tenant north --issuer ${service.issuer}`, url)
  expect([code, said.replace('FAILED  ', '')]).toEqual([1, expect.stringMatching(`^${check}`)])
  // Each check says in words what is wrong.
  expect(said).not.toMatch(/ERR_ASSERTION|undefined \(reading/)
})

test('it fails, and says of what, where tokens are another issuer’s', async () => {
  const said = expect.stringMatching(/^FAILED {2}makes a session, and a token of it once, .*"iss"/)
  expect(await smoke('')).toMatchObject({ code: 1, said })
})

test('it asks for a deployment where the key is not that of the demo', async () => {
  const refused = await commanded('smoke', [service.url], { env: { SMOKE_KEY: keys.admin } })
  expect(refused).toMatchObject(refusal(/^Give --deployment, one that the key may read\./, 2))
})

test.each([
  [{ SMOKE_DEPLOYMENT: 'abc' }, 'SMOKE_DEPLOYMENT must be a whole number.'],
  [{ SMOKE_KEY: 'x\nhunter2' }, 'SMOKE_KEY has a blank, or another character that no key has.'],
])('it takes no %j, and repeats no key', async (wrong, said) => {
  const env = { SMOKE_KEY: keys.admin, SMOKE_DEPLOYMENT: '1', ...wrong }
  expect(await commanded('smoke', service.url, { env })).toMatchObject(refusal(said, 2))
})

test('with --json it prints no session id that it was not to get', async () => {
  const { url } = await changing('POST /embed/generate-session', answering(201))
  const { code, output } = await smoke(`--issuer ${service.issuer} --json`, url)
  expect([code, output]).toEqual([1, expect.stringContaining('"sessionId\\":\\"…')])
})

test('with --json it prints one object, of a failure too', async () => {
  const good = await smoke('--keyless --json')
  expect(JSON.parse(good.output)).toMatchObject({
    url: service.url,
    checks: Array(5).fill({ isOk: true }),
  })
  const bad = await smoke('--json')
  const failed = { isOk: false, error: expect.stringContaining('"iss"') }
  expect([bad.code, JSON.parse(bad.output).checks.at(-1)]).toMatchObject([1, failed])
})

test('it fails where nothing answers', async () => {
  const { code, said } = await commanded('smoke', ['http://localhost:2', '--wait', '0'])
  const why = /^http:\/\/localhost:2 does not come up: .*ECONNREFUSED/
  expect([code, said]).toEqual([1, expect.stringMatching(why)])
})

test('it waits for a service that is not up yet, and says so once', async () => {
  const statuses = [502, 503]
  const { url } = await changing('GET /.well-known', () => ({ status: statuses.shift() ?? 200 }))
  const pauses: number[] = []
  const pause = async (milliseconds: number) => void pauses.push(milliseconds)
  const time = { now: Date.now, pause }
  const { code, said } = await commanded('smoke', [url, '--keyless'], { time })
  const waiting = expect.stringMatching(/^.+: answered 502 .+\. Waiting up to 60 seconds\.\n$/)
  expect([code, said, pauses]).toEqual([0, waiting, [1000, 1000]])
})

test('it follows no redirection, and says where it leads', async () => {
  const { url } = await serving(({ url: path = '' }, response) => {
    response.writeHead(301, { location: service.url + path }).end()
  })
  expect(await commanded('smoke', [url, '--keyless', '--wait', '0'])).toMatchObject(
    refusal(
      `${url} does not come up: answered 301 instead of 200: ` +
        `it leads to ${service.url}/.well-known/jwks.json`,
    ),
  )
})

test('it waits no longer than it may for a service that is silent', async () => {
  const { url } = await serving(() => {})
  const timeouts = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => timeouts.mockRestore())
  const { code, said } = await commanded('smoke', [url, '--wait', '1'])
  expect([code, said]).toEqual([1, expect.stringContaining(' does not come up: ')])
  // Other calls are those of other files, which share this process.
  const ownTimeouts = timeouts.mock.calls.flat().filter((milliseconds) => milliseconds <= 15_000)
  expect(ownTimeouts).toEqual([1000])
})
