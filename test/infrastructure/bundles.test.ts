import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { serving } from '../support/temporary.ts'
import { component, stageOf } from './suite.ts'

const names = Object.keys(lambdas)

const lambdaCredentials = {
  AWS_ACCESS_KEY_ID: 'AKIAENV',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_SESSION_TOKEN: 'session',
}

const run = promisify(execFile)

/** Calls a bundle with each of the events, in the environment that its deployment gives it. */
async function invoke(name: string, environment: object, ...events: readonly object[]) {
  const deployed = stageOf('preview').made('lambda:Function')[`${component(name)}Function`]
  const texts = events.map((event) => JSON.stringify(event))
  const args = [
    'test/infrastructure/invocation.ts',
    `${process.cwd()}/dist/${name}/index.mjs`,
    ...texts,
  ]
  const { stdout, stderr } = await run(process.execPath, args, {
    env: {
      AWS_LAMBDA_FUNCTION_NAME: deployed?.name,
      AWS_REGION: 'eu-central-1',
      ...deployed?.environment.variables,
      ...lambdaCredentials,
      ...environment,
    },
  })
  const linesOf = (printed: string) =>
    printed.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
  const [{ statuses, loaded }] = linesOf(stderr) as [{ statuses: number[]; loaded: string[] }]
  return { statuses, loaded, lines: linesOf(stdout) as Record<string, unknown>[] }
}

test.each(names)(
  '%s is one file that starts with what its deployment gives it, without undici',
  async (name) => {
    expect(readdirSync(`dist/${name}`)).toEqual(['index.mjs'])
    const { loaded } = await invoke(name, {})
    expect(loaded.filter((module) => module.includes('undici'))).toEqual([])
  },
)

test('a place in a stack is found in the source as docs/operations.md says', () => {
  const [script = ''] =
    /^node --input-type=[\s\S]*?\)'$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const before =
    readFileSync('dist/exchange-session/index.mjs', 'utf8')
      .split('"session.redeemed"')[0]
      ?.split('\n') ?? []
  const place = `(${before.length}, ${before.at(-1)?.length})`
  const shell = execFileSync('sh', ['-c', script.replace('(29, 4320)', place)], {
    encoding: 'utf8',
  })
  expect(shell).toMatch(/core\/sessions\/audit.ts',\s+lineNumber: \d+/)
})

/** Redeems twice, over a database that refuses every write, and notes what that is asked. */
async function redeemTwice(environment: object) {
  const signingKeys = JSON.stringify(await firstSigningKeys(Date.now()))
  const requests: {
    operation: string | undefined
    credential: string | undefined
    token: unknown
  }[] = []
  const { url } = await serving(async (request, response) => {
    const {
      'x-amz-target': target,
      'x-amz-security-token': token,
      authorization = '',
    } = request.headers
    const operation = String(target).split('.')[1]
    requests.push({ operation, credential: /Credential=(\w+)\//.exec(authorization)?.[1], token })
    if ((await text(request)).includes('private#keys')) {
      return response.end(JSON.stringify({ Item: { keys: { S: signingKeys } } }))
    }
    if (operation === 'GetItem') return response.end('{}')
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(
      JSON.stringify({
        __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException',
      }),
    )
  })
  const surroundings = { AWS_ENDPOINT_URL_DYNAMODB: url, ...environment }
  return { requests, ...(await invoke('exchange-session', surroundings, redemption, redemption)) }
}

test.each([
  ['no metric', {}, false],
  ['a metric where people rely on the stage', { METRICS: 'true' }, true],
])(
  'a redemption uses the credentials of the environment, and leaves lines and %s',
  async (_, environment, counted) => {
    const { statuses, loaded, requests, lines } = await redeemTwice(environment)
    expect(statuses).toEqual([401, 401])
    // The keys are read once, while the function loads.
    const operations = ['GetItem', 'DeleteItem', 'GetItem', 'DeleteItem', 'GetItem']
    expect(requests).toEqual(
      operations.map((operation) => ({ operation, credential: 'AKIAENV', token: 'session' })),
    )
    expect(loaded.filter((module) => module.includes('undici'))).toEqual([])
    // One line of the audit each, and one of its invocation.
    const events = lines.filter(({ event }) => event !== undefined)
    const audited = ['session.refused', counted]
    expect(events.map(({ event, _aws }) => [event, _aws !== undefined])).toEqual([audited, audited])
    // The first of an instance is a cold start.
    const invocations = lines.filter(({ invocation }) => invocation === 'operation')
    expect(invocations.map(({ status, coldStarts }) => [status, coldStarts])).toEqual([
      [401, 1],
      [401, undefined],
    ])
  },
)

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
