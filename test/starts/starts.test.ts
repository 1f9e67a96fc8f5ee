import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { maxAttempts } from '@embed-access/core/storage/client.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import type { FunctionRecord, TableRead } from '../../functions/operations/record.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { bundle } from '../../stacks/bundle.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { type Mood, moodyDatabase } from './database.ts'

const reads = (...keys: readonly string[]) => `BatchGetItem ${keys.join(', ')}`
const anything = 'catalog #'
const account = 'catalog account##'
const revocation = 'sessions revocation##'
const user = 'credentials user##'
const readsPublicKeys = 'GetItem signingKeys public#keys'
const readsPrivateKeys = 'GetItem signingKeys private#keys'
const readsForList = reads(anything, revocation)
const readsForToken = reads(account, revocation, user)

/**
 * What it asks of the database as it starts, the status of its answer where nothing is there, and
 * the most KB of its bundle.
 */
type Expected = {
  readonly asks: readonly string[]
  readonly status?: number
  readonly kilobytes: number
}

const expected: Readonly<Record<string, Expected>> = {
  authorizer: { asks: [reads(account, revocation, 'credentials apiKey##')], kilobytes: 248 },
  'catalog-sync': { asks: [reads(anything)], kilobytes: 276 },
  'list-embed-tenant-workbooks': { asks: [readsForList], status: 404, kilobytes: 249 },
  'generate-session': { asks: [reads(account, user)], status: 404, kilobytes: 262 },
  'exchange-session': { asks: [readsPrivateKeys], status: 401, kilobytes: 251 },
  'revoke-session': { asks: [reads(revocation)], status: 204, kilobytes: 237 },
  'get-embed-session': { asks: [readsForToken, readsPublicKeys], status: 401, kilobytes: 247 },
  'end-embed-session': { asks: [readsForToken, readsPublicKeys], status: 401, kilobytes: 249 },
  'list-embed-workbooks': {
    asks: [reads(anything, revocation, user), readsPublicKeys],
    status: 401,
    kilobytes: 264,
  },
  'list-dbt-syncs': { asks: [readsForList], status: 404, kilobytes: 235 },
  'list-notifications': { asks: [reads(anything, revocation, user)], status: 404, kilobytes: 241 },
  'list-workbook-embed-tenants': { asks: [readsForList], status: 404, kilobytes: 242 },
  'list-embed-tenants': {
    asks: [reads('catalog embedTenant##', revocation)],
    status: 200,
    kilobytes: 236,
  },
  'get-key-set': { asks: [readsPublicKeys], status: 200, kilobytes: 228 },
  'get-embed-revocations': { asks: [readsPrivateKeys], status: 200, kilobytes: 243 },
  'get-spec': { asks: [], status: 200, kilobytes: 184 },
  'get-error-reference': { asks: [], status: 200, kilobytes: 44 },
}

const names = Object.keys(lambdas)
const withTables = names.filter((name) => (lambdas[name] as FunctionRecord).tables.length > 0)

const dist = temporaryDirectory()
const sizes: Record<string, number> = {}
const sourcesOf: Record<string, string[]> = {}

beforeAll(async () => {
  await Promise.all(names.map(bundled))
})

test('a bundle has only the packages that its function uses', () => {
  expect(having('@aws-sdk/client-dynamodb')).toEqual(withTables)
  expect(having('@aws-sdk/client-sqs')).toEqual(['catalog-sync'])
  expect(having('jose')).toEqual([
    'authorizer',
    'exchange-session',
    'get-embed-session',
    'end-embed-session',
    'list-embed-workbooks',
    'get-embed-revocations',
  ])
  for (const unused of [
    // What the document is made with.
    '@valibot/to-json-schema',
    'mnemonist',
    '@aws-sdk/credential-provider-node',
    '@aws-sdk/nested-clients',
  ]) {
    expect(having(unused)).toEqual([])
  }
  for (const source of Object.values(sourcesOf).flat())
    expect(source).not.toMatch(/\/event-streams\/|\/loadSharedConfigFiles\.js$/)
})

const keys = await firstSigningKeys(0)
const verifying = publicKeys(keys.keys)

async function bundled(name: string): Promise<void> {
  sizes[name] = (await bundle(name, dist)).code.byteLength / 1024
  sourcesOf[name] = JSON.parse(readFileSync(join(dist, `${name}.mjs.map`), 'utf8')).sources
}

/** The functions whose bundles have something of a package. */
function having(name: string): string[] {
  return names.filter((each) =>
    sourcesOf[each]?.some((source) => source.includes(`node_modules/${name}/`)),
  )
}

describe.each(names)('%s', { concurrent: true }, (name) => {
  test('has a bundle within its budget', ({ expect }) => {
    const [size, budget] = [sizes[name] as number, expected[name]?.kilobytes as number]
    const advice =
      'npm run build shows all sizes. Leave out what it does not need, or raise its budget here.'
    expect(
      size,
      `The bundle of ${name} has ${size.toFixed(1)} KB; its budget is ${budget}. ${advice}`,
    ).toBeLessThan(budget)
  })

  test('asks what it must while it starts, once, writes nothing and prints nothing', async ({
    expect,
  }) => {
    const { asked, printed, answer, initMs } = await startedWell(name)
    expect(asked.toSorted()).toEqual(expected[name]?.asks)
    expect(printed).toBe('')
    expect((answer as { statusCode?: number }).statusCode).toBe(expected[name]?.status)
    // Its first line says how long that took.
    expect(initMs).toBeGreaterThan(10)
  })

  test('asks only what its role allows', ({ expect }) => {
    const { tables } = lambdas[name] as FunctionRecord
    for (const call of expected[name]?.asks ?? []) {
      const [action] = call.split(' ') as [TableRead]
      for (const [, table, partition = ''] of call.matchAll(/ (\w+) ([\w#]+)/g)) {
        const allowed = tables.filter((each) => each.table === table)
        const prefixes = allowed.flatMap(({ reads = [], narrowReads = {} }) => [
          ...(reads.includes(action) ? [''] : []),
          ...(narrowReads[action] ?? []),
        ])
        expect(prefixes.some((prefix) => partition.startsWith(prefix))).toBe(true)
      }
    }
  })
})

/**
 * All functions start by the same code. So one of those that make the same calls, of whatever
 * items, tries each trouble.
 */
const asking = Map.groupBy(withTables, (name) =>
  String(expected[name]?.asks.map((call) => call.replace(/^BatchGetItem .*/, 'BatchGetItem'))),
)
const troubles = [...asking.values()].flatMap(([name = '']): [string, Mood][] => [
  [name, 'ends'],
  [name, 'silent'],
])
troubles.push(['authorizer', 'refuses'], ['authorizer', 'throttles'])

describe('a function whose database gives no answer', { concurrent: true }, () => {
  test.for(troubles)(
    'starts and then answers: %s, and the database is or does so: %s',
    async ([name, mood], { expect }) => {
      const { asked, printed, answer } = await start(name, mood)
      const asks = expected[name]?.asks as readonly string[]
      expect([...new Set(asked)].sort()).toEqual(asks)
      // It does not wait until a silent call has had its last attempt.
      if (mood === 'silent') expect(asked.length).toBeLessThan(asks.length * maxAttempts)
      expect(printed).toBe('')
      expect(answer).toEqual((await startedWell(name)).answer)
    },
  )
})

/** The time after which a start gives up asking. */
const longestStartMs = 2000

/** Starts a bundle over a database in a mood, and invokes it once the database answers. */
async function start(name: string, mood: Mood) {
  const database = await moodyDatabase(mood, {
    'private#keys': JSON.stringify(keys),
    'public#keys': JSON.stringify(verifying),
  })
  const event = await warmUpRequestOf(name)
  const child = fork('test/starts/start.mjs', [join(dist, name, 'index.mjs')], {
    env: environment(database.url),
    execArgv: [],
    silent: true,
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (printed += text))
  child.once('exit', () =>
    child.emit('error', new Error(`${name} ended without an answer. ${printed}`)),
  )
  try {
    // Here the start waits until its time is over.
    if (mood === 'silent' || mood === 'throttles') {
      await database.hasBeenAsked(expected[name]?.asks.length as number)
      child.send(longestStartMs)
    }
    await once(child, 'message')
    const before = { asked: [...database.asked], printed }
    database.mood = 'answers'
    child.send(event)
    const [{ answer }] = await once(child, 'message')
    const line = /"initMs":(\d+)/
    while (!line.test(printed)) await once(child.stdout as Readable, 'data')
    return { ...before, answer, initMs: Number(line.exec(printed)?.[1]) }
  } finally {
    child.removeAllListeners('exit').kill()
    await database.end()
  }
}

async function warmUpRequestOf(name: string): Promise<object> {
  const { handler } = await import(`../../functions/${name}.ts`)
  return handler.warmUpRequest({ verificationKeys: async () => verifying })
}

const known: Record<string, ReturnType<typeof start>> = {}

/** A function that has started over a healthy database. */
const startedWell = (name: string) => (known[name] ??= start(name, 'answers'))

function environment(endpoint: string) {
  return {
    AWS_LAMBDA_FUNCTION_NAME: 'test',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    DEAD_LETTERS_URL: `${endpoint}/dead-letters`,
    ISSUER: 'https://embed.test',
    METRICS: 'true',
    ...Object.fromEntries(
      Object.entries(tableVariables).map(([table, variable]) => [variable, table]),
    ),
  }
}
