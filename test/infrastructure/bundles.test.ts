import { execFileSync, fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { routes } from '../../functions/operations/operations.ts'
import { ofType } from './suite.ts'

const root = process.cwd()
const names = Object.keys(lambdas)
const bundleOf = (name: string) => join(root, 'dist', name, 'index.mjs')

type Answer = { readonly statusCode: number }
type Invoked = { readonly answers: readonly Answer[]; readonly loaded: readonly string[]; readonly printed: string }

/** Calls a bundle with each of the events, in the environment that its deployment gives it. */
function invoke(name: string, environment: object, ...events: readonly object[]): Promise<Invoked> {
  const deployed = ofType('preview', 'aws:lambda/function:Function').find(({ inputs }) =>
    inputs.name.endsWith(`-pr-7-${name}`),
  )
  const invocation = fileURLToPath(new URL('invocation.ts', import.meta.url))
  const child = fork(invocation, [bundleOf(name), ...events.map((event) => JSON.stringify(event))], {
    env: {
      AWS_LAMBDA_FUNCTION_NAME: deployed?.inputs.name,
      AWS_REGION: 'eu-central-1',
      ...deployed?.inputs.environment.variables,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    let errors = ''
    child.stderr?.on('data', (text) => {
      errors += text
    })
    let printed = ''
    child.stdout?.on('data', (text) => {
      printed += text
    })
    let invoked: Omit<Invoked, 'printed'> | undefined
    child.on('message', (message) => {
      invoked = message as Omit<Invoked, 'printed'>
    })
    child.on('close', () => (invoked ? resolve({ ...invoked, printed }) : reject(new Error(errors))))
  })
}

const lambdaCredentials = {
  AWS_ACCESS_KEY_ID: 'AKIAENV',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'session',
}

const entriesIn = (printed: string): Record<string, unknown>[] =>
  printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const eventsIn = (printed: string) => entriesIn(printed).filter(({ event }) => event !== undefined)

/** Calls and addresses that only occur in the providers for SSO, web identity, processes, profiles, containers and EC2. */
const unusedProviders = [
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'GetRoleCredentials',
  'AssumeRoleWithWebIdentity',
  'credential_process',
  '/meta-data/iam/security-credentials',
]

describe.each(names)('%s', (name) => {
  test('starts with nothing but what its deployment gives it, without undici', async () => {
    const { loaded } = await invoke(name, lambdaCredentials)
    expect(loaded.filter((module) => module.includes('undici'))).toEqual([])
  })

  test('is one file, without the credential providers that Lambda never uses', () => {
    expect(readdirSync(join(root, 'dist', name))).toEqual(['index.mjs'])
    const code = readFileSync(bundleOf(name), 'utf8')
    expect(unusedProviders.filter((marker) => code.includes(marker))).toEqual([])
  })
})

test.each(routes.filter(({ access }) => access !== 'public'))(
  '$id answers 401 where no authorizer has decided, and reads nothing',
  async ({ id, method, path }) => {
    const events = [{}, { authorizer: {} }, { authorizer: { lambda: { principal: { admin: true } } } }].map(
      (context) => ({
        ...redemption,
        routeKey: `${method} ${path}`,
        requestContext: { ...redemption.requestContext, ...context },
      }),
    )
    // Nothing listens there, so reading anything would be a 503.
    const { answers } = await invoke(
      id,
      { ...lambdaCredentials, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' },
      ...events,
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401])
  },
)

test('a place in a stack is found in the source as docs/operations.md says', () => {
  const [script = ''] = /^place=[\s\S]*?\)'$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const before = readFileSync(bundleOf('exchange-session'), 'utf8').split('"session.redeemed"')[0]?.split('\n') ?? []
  const place = `exchange-session ${before.length} ${before.at(-1)?.length}`
  const shell = execFileSync('sh', ['-c', script.replace(/place='.*?'/, `place='${place}'`)], { encoding: 'utf8' })
  expect(shell).toMatch(/^..\/..\/core\/sessions\/audit.ts:\d+\n$/)
})

test('a function without tables has no SDK in its bundle', () => {
  const without = names.filter((name) => lambdas[name]?.tables.length === 0)
  expect(without).toEqual(['get-spec', 'get-error-reference'])
  expect(without.filter((name) => readFileSync(bundleOf(name), 'utf8').includes('DynamoDB_20120810'))).toEqual([])
})

describe('a redemption', () => {
  const requests: { target: string | undefined; credential: string | undefined; token: string | undefined }[] = []
  let signingKeys: string

  /** Refuses every write. */
  const aws = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    requests.push({ target: operationIn(request), ...signatureIn(request) })
    if (body.includes('private#keys')) return response.end(JSON.stringify({ Item: { keys: { S: signingKeys } } }))
    if (operationIn(request) === 'GetItem') return response.end('{}')
    response.statusCode = 400
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.end(JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' }))
  })
  let address: string
  beforeAll(async () => {
    signingKeys = JSON.stringify(await firstSigningKeys(Date.now()))
    await new Promise<void>((resolve) => aws.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`
  })
  afterAll(() => aws.close())
  beforeEach(() => {
    requests.length = 0
  })

  const exchange = (environment: object) =>
    invoke('exchange-session', { AWS_ENDPOINT_URL_DYNAMODB: address, ...environment }, redemption, redemption)

  test('is signed with the credentials in Lambda’s environment, and loads no undici', async () => {
    const { answers, loaded } = await exchange(lambdaCredentials)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401])
    // The keys are read once, while the function loads.
    expect(requests.map(({ target }) => target)).toEqual(['GetItem', 'DeleteItem', 'GetItem', 'DeleteItem', 'GetItem'])
    for (const { credential, token } of requests)
      expect({ credential, token }).toEqual({ credential: 'AKIAENV', token: 'session' })
    expect(loaded.filter((module) => module.includes('undici'))).toEqual([])
  })

  test('is a line of the audit log, and a metric only where people rely on the stage', async () => {
    const { printed } = await exchange(lambdaCredentials)
    expect(eventsIn(printed).map(({ event }) => event)).toEqual(['session.refused', 'session.refused'])
    expect(printed).not.toContain('_aws')
    const monitored = await exchange({ ...lambdaCredentials, METRICS: 'true' })
    const counted = eventsIn(monitored.printed)
    expect(counted).toHaveLength(2)
    for (const event of counted) expect(event).toHaveProperty('_aws')
  })

  test('is a line of its invocation too, the first of an instance a cold start', async () => {
    const { printed } = await exchange(lambdaCredentials)
    const lines = entriesIn(printed).filter(({ invocation }) => invocation === 'operation')
    expect(lines.map(({ status, coldStarts }) => [status, coldStarts])).toEqual([
      [401, 1],
      [401, undefined],
    ])
  })
})

const operationIn = ({ headers }: IncomingMessage) => String(headers['x-amz-target']).split('.')[1]

const signatureIn = ({ headers }: IncomingMessage) => ({
  credential: /Credential=(\w+)\//.exec(headers.authorization ?? '')?.[1],
  token: headers['x-amz-security-token'] as string | undefined,
})

const redemption = {
  version: '2.0',
  routeKey: 'POST /api/v1/embed/session/token',
  rawPath: '/api/v1/embed/session/token',
  rawQueryString: '',
  headers: { 'content-type': 'application/json' },
  requestContext: { requestId: 'request', http: { method: 'POST', sourceIp: '127.0.0.1' } },
  body: JSON.stringify({ sessionId: 'unknown' }),
  isBase64Encoded: false,
}
