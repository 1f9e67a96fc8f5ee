import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { beforeAll, expect, test } from 'vitest'
import {
  acmeTenant,
  embedTenant,
  keys,
  people,
  recipient,
  share,
  userKey,
  userOf,
  workbook,
  world,
} from '../support/service.ts'
import { bearer, sessionsOf, tokenStatus } from '../support/sessions.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { commanded, environmentOf } from './environment.ts'

/** The commands of each section of the pages, in order. Those of AWS are left out. */
const sections = new Map(
  ['docs/incidents.md', 'SECURITY.md']
    .flatMap((page) => readFileSync(page, 'utf8').split(/^## /m))
    .map((section) => {
      const commands = [...section.matchAll(/^ {3}```sh\n([\s\S]*?)^ {3}```$/gm)].map(
        ([, command = '']) => command,
      )
      const own = commands.filter((command) => !command.trim().startsWith('aws '))
      return [section.split('\n', 1)[0] as string, own] as const
    }),
)

const service = world([
  ...people,
  userKey('acme', 2, 'sk-fills'),
  userOf('acme', 4, 'host@acme.example', { deploymentIds: [1] }),
  userKey('acme', 4, 'sk-of-host'),
  workbook(1, 10),
  workbook(1, 11),
  share(1, 'workbook', 10, embedTenant('north')),
  share(1, 'workbook', 11, embedTenant('north')),
])
const { generate, newSession, newToken, tokenOf } = sessionsOf(service)
const directory = temporaryDirectory()
beforeAll(() => {
  // The commands tell the time by the machine's clock.
  service.now = Date.now()
})

/**
 * Runs the commands of a section in one shell, which ends at the first that fails. No list of
 * processes shows a secret.
 */
async function follow(title: string, variables: Record<string, string>, npx?: string) {
  const commands = sections.get(title) ?? []
  expect(commands.length).toBeGreaterThan(1)
  const processes = await fileIn(directory, 'processes', [])
  const told: string[] = []
  const functions = shown(processes, npx ?? (await inThisProcess(told)))
  const script = await fileIn(directory, 'section.sh', [functions + commands.join('\necho; ')])
  const own = { base: service.url, admin: keys.admin, account: 'acme', ...variables }
  const running = promisify(execFile)('sh', ['-eu', script], { env: { ...process.env, ...own } })
  running.child.stdin?.end()
  const { stdout, stderr } = await running
  const { session, token } = variables
  for (const secret of [keys.admin, keys.reader, session, token])
    if (secret) expect(readFileSync(processes, 'utf8')).not.toContain(secret)
  return told.join('') + stderr + stdout
}

const logFile = () => fileIn(directory, 'functions.log', service.logged)

const leakedSession = async (session: string, npx?: string) => {
  const body = join(directory, 'body.json')
  return follow('A leaked session id', { session, body, log: await logFile() }, npx)
}

test('a leaked session id is over after the commands of its section', async () => {
  const session = await newSession({ externalId: 'u-1' })
  const token = await tokenOf(session)
  const printed = await leakedSession(session)
  expect(printed).toContain('session.redeemed')
  expect(printed).toContain('"invalid_session"')
  expect(await opens(token)).toBe(401)
})

const opens = async (token: string) =>
  (await service.get('/api/v1/deployments/1/dbt-sync', bearer(token))).status

test('what is reported as a session id sends the admin’s key nowhere else', async () => {
  const asked: unknown[] = []
  const { url } = await serving(({ headers }, response) => {
    asked.push(headers)
    response.end()
  })
  await leakedSession(`x"}\nurl = ${url}\n#`, 'true')
  expect(asked).toEqual([])
})

test('a wrong share is over after the commands of its section', async () => {
  const changes = join(directory, 'changes.ndjson')
  const printed = await follow('A wrong share', { tenant: 'north', workbook: '10', changes })
  const list = JSON.parse(printed.slice(printed.lastIndexOf('{"items"')))
  expect(list.items.map(({ id }: { id: number }) => id)).toEqual([11])
})

test('an erased end user has no token and is no recipient after the commands', async () => {
  const of = (externalId: string, embedTenantName = 'north') => ({ embedTenantName, externalId })
  const others = [of('u-22'), of('u-2', 'south')]
  const recipients = [of('u-2'), ...others].map((endUser) =>
    recipient(1, 7, { type: 'embedUser', ...endUser }),
  )
  await service.apply(recipients)
  const [token, other] = [await newToken(of('u-2')), await newToken(of('u-22'))]
  const files = { body: join(directory, 'erased.json'), changes: join(directory, 'erased.ndjson') }
  const variables = { tenant: 'north', user: 'u-2', ...files }
  const printed = await follow('Erasing a person', variables)
  expect(printed).toContain('applied 1, skipped 0')
  expect(printed.slice(printed.indexOf('applied'))).not.toContain('u-2"')
  expect([await tokenStatus(service, token), await tokenStatus(service, other)]).toEqual([401, 200])
})

test('groups and tenants that nobody wants are gone after their commands', async () => {
  const define = async (count: number, prefix: string, key = 'sk-fills') => {
    const tenantGroupDefinitions = Array.from({ length: count }, (_, index) => ({
      name: `${prefix}${index}`,
      description: 'x'.repeat(500),
    }))
    const request = { creatorMode: true, embedTenantName: 'filled', tenantGroupDefinitions }
    return (await generate(request, key)).status
  }
  expect([await define(60, 'g'), await define(1, 'more')]).toEqual([200, 400])
  expect(await define(1, 'of-an-admin', keys.admin)).toBe(200)
  const changes = join(directory, 'groups.ndjson')
  const tenants = ['junk-1', 'junk-2', 'kept']
  for (const embedTenantName of tenants) await generate({ embedTenantName }, 'sk-fills')
  const variables = { tenant: 'filled', unwanted: 'junk-', changes }
  const printed = await follow('Groups or embed tenants that nobody wants', variables)
  expect(printed).toContain('applied 63, skipped 0, refused 0')
  const left = printed.slice(printed.indexOf('applied'))
  expect(left).toContain('"kept"')
  expect(left).not.toMatch(/junk|"g0"/)
  expect(await define(60, 'g')).toBe(200)
})

test('a beginning of names that somebody forgot to set deletes no tenant', async () => {
  const changes = join(directory, 'forgotten.ndjson')
  const variables = { tenant: 'north', unwanted: '', changes }
  const catalog = `echo '${JSON.stringify(acmeTenant('kept'))}'`
  const followed = follow('Groups or embed tenants that nobody wants', variables, catalog)
  await expect(followed).rejects.toThrow('unwanted: parameter')
  expect(readFileSync(changes, 'utf8')).not.toContain('"embedTenant"')
})

/**
 * The lines of the log that a section's first filter finds, as CloudWatch reads a filter without
 * brackets.
 */
function found(title: string, variables: Record<string, string>) {
  const page = readFileSync('docs/incidents.md', 'utf8')
  const [, written = ''] =
    /--filter-pattern "\{ (.*) \}"$/m.exec(page.slice(page.indexOf(`## ${title}`))) ?? []
  const pattern = written.replaceAll(/[\\()]/g, '')
  const holds = (term: string, entry: object): boolean => {
    const [, path = '', name = ''] = /^\$\.(\S+) = "\$?(.*?)"$/.exec(term) ?? []
    const value = path.split('.').reduce((within, key) => Object(within)[key], entry as unknown)
    const [variable = '', rest] = name.split('*')
    const wanted = variables[variable] ?? variable
    return rest === undefined ? value === wanted : String(value).startsWith(wanted)
  }
  return service.logged.filter((entry) =>
    pattern.split(' || ').some((all) => all.split(' && ').every((term) => holds(term, entry))),
  )
}

test('the filters of the page find who used a key, defined groups or named tenants', async () => {
  service.logged.length = 0
  await generate({ embedTenantName: 'spam-1' }, 'sk-fills')
  const tenantGroupDefinitions = [{ name: 'spam' }]
  const definition = { creatorMode: true, embedTenantName: 'north', tenantGroupDefinitions }
  await generate(definition, 'sk-of-host')
  const hashes = ['sk-fills', 'sk-of-host'].map((key) => hashOfApiKey(key).slice(0, 12))
  const eventsOf = (lines: typeof service.logged) =>
    lines.map(({ event, by }) => [event, Object(by).credential.key])
  const [fills, ofHost] = hashes
  expect(eventsOf(found('A leaked API key', { hash: `${ofHost}` }))).toEqual([
    ['session.generated', ofHost],
    ['definitions.changed', ofHost],
  ])
  const variables = { tenant: 'north', unwanted: 'spam-' }
  expect(eventsOf(found('Groups or embed tenants that nobody wants', variables))).toEqual([
    ['session.generated', fills],
    ['definitions.changed', ofHost],
  ])
})

test('a stolen embed token is over after the commands of its section', async () => {
  const session = await newSession({}, 'sk-of-host')
  const token = await tokenOf(session)
  const another = await newToken({}, 'sk-of-host')
  const variables = { jti: tokenIdOf(session), user: '4', token, log: await logFile() }
  const printed = await follow('A stolen embed token', variables)
  expect(printed).toContain('session.generated')
  expect(printed).toContain('"unauthenticated"')
  expect(await tokenStatus(service, another)).toBe(401)
})

test('the commands for a leaked API key end the key and its tokens', async () => {
  const token = await newToken({ internalId: 'rob@acme.example' }, keys.reader)
  expect(await opens(token)).toBe(200)
  // As an editor on Windows leaves it.
  const leaked = await fileIn(directory, 'leaked', [`${keys.reader} \r\n`])
  const printed = await follow('A leaked API key', { leaked })
  expect(printed).toContain('Revoked "sk-test-reader" of user 2')
  expect(printed).toContain('"unauthenticated"')
  expect(await opens(token)).toBe(401)
})

/** What a shell does for npx: has this process run the command, which takes no start of Node. */
async function inThisProcess(told: string[]): Promise<string> {
  const { url } = await serving(async (request, response) => {
    const [, ...args] = String(request.headers.args).split('\t')
    const env = environmentOf(service.storage.tables)
    const { code, output, said } = await commanded('', args, { env, input: await text(request) })
    told.push(said)
    response.writeHead(200 + code).end(output)
  })
  const answer = join(directory, 'answer')
  return `IFS='\t'; code=$(command curl -sSo '${answer}' -w '%{http_code}' -H "args: $*" \
    --data-binary @- ${url}); cat '${answer}'; return $((code - 200))`
}

/**
 * What a list of processes shows of the commands goes to a file. What else a shell runs is its own.
 */
const shown = (file: string, npx: string) =>
  ['curl', 'npm', 'npx', 'openssl', 'cut', 'tr']
    .map((name) => [name, name === 'npx' ? `(${npx})` : `command ${name} "$@"`])
    .map(([name, command]) => `${name}() { echo "$@" >> '${file}'; ${command}; }\n`)
    .join('')
