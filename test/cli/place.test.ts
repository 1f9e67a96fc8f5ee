import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTables } from '../../cli/create-tables.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { startEngine } from '../../local/engine.ts'
import { put } from '../support/catalog.ts'
import { patient } from '../support/patient.ts'
import { fileIn, serving, temporaryDirectory } from '../support/temporary.ts'
import { answeringAsAws, commanded, onAws, refusal } from './environment.ts'

const directory = temporaryDirectory()
const imported = temporaryDirectory()
const closed = temporaryDirectory()
const example = 'cli/catalog/example/catalog.ndjson'

const commands = [
  'catalog import changes.ndjson',
  'catalog export',
  'catalog purge',
  'catalog check --deployment 1',
  'catalog explain --tenant x --workbook 1',
  'catalog reconcile dump.ndjson',
  'keys list --account acme',
  'keys create --account acme --user 1',
  'keys revoke abcdef01',
  'keys init',
  'keys rotate',
  'keys public',
  'sessions revoke --account acme --user 1',
]

test.each(commands)('%s takes one of --url, --data and DYNAMODB_ENDPOINT', async (command) => {
  const nowhere = join(directory, 'nowhere')
  const wrong = { env: { DYNAMODB_ENDPOINT: 'localhost:8000' } }
  const noAddress = 'DYNAMODB_ENDPOINT is not an address, such as http://127.0.0.1:8000.'
  const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }
  const url = ['--url', 'http://127.0.0.1:1']
  const twice = 'both say where the database is. Give one of them.'
  for (const [options, around, code, said] of [
    [[...url, '--data', directory], {}, 2, `--url and --data ${twice}`],
    [url, { env }, 2, `--url and DYNAMODB_ENDPOINT ${twice}`],
    [['--data', directory], { env }, 2, `--data and DYNAMODB_ENDPOINT ${twice}`],
    [['--data', nowhere], {}, 2, `There is no directory ${nowhere}.`],
    [['--data', directory], {}, 2, `${directory} has no database of npm start.`],
    [[], wrong, 2, noAddress],
    [url, {}, 1, 'Nothing answers at http://127.0.0.1:1. Start the service with npm start.'],
  ] as const) {
    const words = [...command.split(' '), ...options]
    expect(await commanded('', words, around)).toMatchObject({
      code,
      said: `${said}\n`,
    })
  }
  expect(await readdir(directory)).toEqual([])
})

/** Names of tables that a shell may have from work on a deployed stage. */
const ofStage = Object.fromEntries(
  Object.values(tableVariables).map((variable) => [variable, 'of-a-stage']),
)

test('a command finds the database of the service at --url, or says why not', async () => {
  const { endpoint, stop } = await startEngine()
  onTestFinished(async () => void (await stop()))
  await createTables(patient(connect(tablesWithPrefix('embed-access'), endpoint)))
  const asked: (string | undefined)[] = []
  let answer = JSON.stringify({ endpoint })
  const { url } = await serving((request, response) => {
    asked.push(request.url)
    response.end(answer)
  })
  const list = (at: string) =>
    commanded('keys', ['list', '--account', 'acme', '--url', at], { env: ofStage })
  const none = 'There is no account acme.\n'
  expect(await list(`${url}/playground`)).toMatchObject({ code: 1, printed: none })
  expect(asked).toEqual(['/local/engine.json'])
  for (answer of ['{}', 'null', '<html>']) {
    const said =
      `${url} is no service of npm start. For a deployed stage, leave --url out and use AWS ` +
      'credentials.\n'
    expect(await list(url)).toMatchObject({ code: 1, said })
  }
  const said = 'here is not an address. Give --url as npm start prints it.\n'
  expect(await list('here')).toMatchObject({ code: 2, said })
})

test('a command gives up where the address of --url is silent', async () => {
  const { url } = await serving(() => {})
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeouts.mockRestore())
  const said = `Nothing answers at ${url}. Start the service with npm start.\n`
  expect(await commanded('keys', `list --account a --url ${url}`)).toMatchObject({ code: 1, said })
})

test('a command works on the tables in a directory, and ends their engine', async () => {
  const data = join(imported, 'data')
  await (await startEngine(data)).stop()
  for (const [code, env] of [
    [0, {}],
    [1, ofStage],
  ] as const)
    expect(await commanded('keys', ['init', '--data', data], { env })).toMatchObject({ code })
  const said = `Rotate them with: npx embed-access keys rotate --data ${data}\n`
  expect((await commanded('keys', ['init', '--data', data])).said).toContain(said)
})

test('a command says that the directory of --data is closed to its user', async () => {
  await chmod(closed, 0)
  onTestFinished(() => chmod(closed, 0o700))
  // To root no directory is closed.
  if (process.geteuid?.() === 0) {
    process.seteuid?.(65_534)
    onTestFinished(() => process.seteuid?.(0))
  }
  for (const data of [closed, join(closed, 'data')]) {
    const listed = await commanded('keys', `list --account a --data ${data}`)
    expect(listed).toMatchObject(refusal(`You may not open ${data}.`, 2))
  }
})

test.each(['-x', 'file:x'])('the directory of --data may have the name %s', async (name) => {
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(imported)
  await (await startEngine(name)).stop()
  expect(await readdir(join(imported, name))).toContain('dynamodb.sqlite')
})

test('a command says that AWS does not answer, or is no DynamoDB', async () => {
  const asked = async () => (await commanded('keys', 'list --account a')).printed
  onAws('http://127.0.0.1:1')
  expect((await asked()).replace(/\b\d?\d\.\d(?= s)/, 'N')).toBe(
    'AWS’s DynamoDB does not answer (ECONNREFUSED). The command gave up after N s. Check ' +
      'that it runs, and its address.\n',
  )
  const gateway = await serving((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}')
  })
  const env = { DYNAMODB_ENDPOINT: gateway.url }
  expect((await commanded('keys', 'list --account a', { env })).printed).toBe(
    `What answers at ${gateway.url} is no DynamoDB. Check the address.\n`,
  )
  onAws((await serving((_, response) => response.end('<html>'))).url)
  expect(await asked()).toBe('What answers at AWS is no DynamoDB. Check the address.\n')
})

test('a command names the region in which AWS has no such tables', async () => {
  await answeringAsAws(() => ({ __type: 'ResourceNotFoundException' }))
  const { said } = await commanded('keys', 'list --account a')
  expect(said).toMatch(/^There are no such tables at AWS in eu-central-1\. Set AWS_REGION /)
})

test('catalog import makes no table on AWS', async () => {
  const asked: string[] = []
  await answeringAsAws((operation) => {
    asked.push(operation)
    return {}
  })
  const account = put('account', { id: 'own', name: 'Own' })
  const file = await fileIn(imported, 'changes.ndjson', [account])
  expect(await commanded('catalog', ['import', file])).toMatchObject({ code: 0 })
  expect(asked).toContain('PutItem')
  expect(asked).not.toContain('CreateTable')
})

describe('without AWS', () => {
  const names = ['AWS_REGION', 'AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_ENDPOINT_URL_SQS']
  beforeEach(() => {
    for (const name of names) vi.stubEnv(name, undefined)
    vi.stubEnv('AWS_CONFIG_FILE', join(directory, 'none'))
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(directory, 'none'))
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  })
  afterEach(() => void vi.unstubAllEnvs())

  test.each(commands)('%s names --url', async (command) => {
    const said = expect.stringMatching(/^(There is no AWS region\.|Say whose [^\n]*) .*--url/)
    const refused = await commanded('', command.replace(/\S+\.ndjson/, example))
    expect(refused).toMatchObject({ code: expect.any(Number), said })
  })

  test.each(['init', 'rotate', 'public', 'remove'])(
    'keys %s of a stage lacks AWS',
    async (verb) => {
      const asked = () => commanded('keys', `${verb} --stage pr-7`)
      expect(await asked()).toMatchObject(refusal('There is no AWS region. Set AWS_REGION.'))
      vi.stubEnv('AWS_REGION', 'eu-central-1')
      expect(await asked()).toMatchObject(
        refusal(`There are no AWS credentials (${none}). Log in to AWS.`),
      )
    },
  )

  const none = 'Could not load credentials from any providers'

  test('a command says what a profile lacks', async () => {
    const own = ['[default]', 'aws_access_key_id = id', 'aws_secret_access_key = secret']
    const profile = ['[profile keys]', 'role_arn = arn:aws:iam::123456789012:role/keys']
    const settings = ['source_profile = default', 'mfa_serial = arn:aws:iam::123456789012:mfa/ada']
    const lines = [...own, ...profile, ...settings]
    vi.stubEnv('AWS_CONFIG_FILE', await fileIn(imported, 'config', lines))
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    vi.stubEnv('AWS_PROFILE', 'keys')
    const { said } = await commanded('keys', 'list --account acme')
    expect(said).toMatch(/^There are no AWS credentials \(Profile keys requires multi-factor /)
    vi.stubEnv('AWS_PROFILE', undefined)
    vi.stubEnv('AWS_CONFIG_FILE', join(directory, 'none'))
    expect(await commanded('keys', 'list --account acme')).toMatchObject(
      refusal(
        /^There are no AWS credentials \(Could not load .*\)\. Log in to AWS, or name .*--url\./,
      ),
    )
  })

  const wrong = 'http://127.0.0.1:1/wrong'
  test.each(['dead', 'redrive', `send ${example}`])(
    'catalog %s names CATALOG_QUEUE_URL',
    async (verb) => {
      const asked = () => commanded('catalog', verb, { env: { CATALOG_QUEUE_URL: wrong } })
      const said = (reason: string) => ({
        code: 1,
        said: expect.stringContaining(
          `The queue ${wrong} can’t be reached: ${reason}. Check CATALOG_QUEUE_URL.`,
        ),
      })
      expect(await asked()).toMatchObject(said('there is no AWS_REGION'))
      vi.stubEnv('AWS_REGION', 'eu-central-1')
      expect(await asked()).toMatchObject(said(`there are no AWS credentials (${none})`))
      vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
      vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
      expect(await asked()).toMatchObject(said('nothing answers there'))
      for (const [status, body] of [
        [404, '{"message":"Not Found"}'],
        [200, '<html>'],
      ] as const) {
        const { url } = await serving((_, response) => response.writeHead(status).end(body))
        const env = { CATALOG_QUEUE_URL: `${url}/wrong` }
        expect(await commanded('catalog', verb, { env })).toMatchObject({
          code: 1,
          said: expect.stringContaining('/wrong can’t be reached: what answers there is no SQS.'),
        })
      }
    },
  )
})

test('npm start takes --data or DYNAMODB_ENDPOINT', async () => {
  const options = ['--port', '0', '--data', join(directory, 'nowhere')]
  const env = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }
  const said = '--data and DYNAMODB_ENDPOINT both say where the database is. Give one of them.'
  expect(await commanded('start', options, { env })).toMatchObject(refusal(said, 2))
  expect(await readdir(directory)).toEqual([])
})

test('the advice to revoke a key that may be lost names its database', async () => {
  const admin = { roles: { L: [{ S: 'admin' }] }, deploymentIds: { S: 'all' } }
  const { url, end } = await serving(async (request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ endpoint: url }))
    // Whatever is read is an account and a user. No write is answered.
    if (!/Get/.test(String(request.headers['x-amz-target']))) return end()
    const users = JSON.parse(await text(request)).RequestItems?.['embed-access-credentials'] ?? {}
    const Responses = { 'embed-access-credentials': [{ ...users.Keys?.[0], ...admin }] }
    response.end(JSON.stringify({ Item: admin, Responses }))
  })
  const made = await commanded('keys', `create --account acme --user 1 --url ${url}`)
  expect(made.said).toMatch(/does not answer.*\nThe key may be lost\. Revoke it: npx /)
  expect(made.said.endsWith(` --url ${url}\n`)).toBe(true)
})
