import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { publicKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/sessions/token.ts'
import { maxAttempts } from '@embed-access/core/storage/client.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import type { FunctionRecord, TableRead } from '../../functions/operations/record.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { sendingNothing } from '../../functions/runtime/warm-up-storage.ts'
import { bundle } from '../../stacks/bundle.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { type Mood, moodyDatabase } from './database.ts'
import { expected } from './expected.ts'
import { started } from './started.ts'

const names = Object.keys(lambdas)
const withTables = names.filter((name) => (lambdas[name] as FunctionRecord).tables.length > 0)
const keys = await firstSigningKeys(0)
const verifying = publicKeys(keys.keys)

/** The requests that the function itself warms up with. */
async function warmUpRequestsOf(name: string): Promise<readonly [object, ...object[]]> {
  const { handler } = await import(`../../functions/${name}.ts`)
  return handler.warmUpRequests({ verificationKeys: async () => verifying })
}

const dist = temporaryDirectory()
const sizes: Record<string, number> = {}

beforeAll(async () => {
  for (const name of names) sizes[name] = (await bundle(name, dist)).code.byteLength / 1024
})

async function start(name: string, mood: Mood) {
  const database = await moodyDatabase(mood, {
    'private#keys': JSON.stringify(keys),
    'public#keys': JSON.stringify(verifying),
  })
  const [event] = await warmUpRequestsOf(name)
  try {
    return await started(join(dist, name, 'index.mjs'), database, event)
  } finally {
    await database.end()
  }
}

const answers = new Map<string, Promise<unknown>>()

/** The answer of a function that has started over a healthy database. */
function answerOf(name: string): Promise<unknown> {
  const known = answers.get(name) ?? start(name, 'answers').then(({ answer }) => answer)
  answers.set(name, known)
  return known
}

/** The files that a bundle was made of, by its source map. */
function sourcesOf(name: string): string[] {
  const { sources } = JSON.parse(readFileSync(join(dist, `${name}.mjs.map`), 'utf8')) as { sources: string[] }
  return sources.map((source) => relative(process.cwd(), join(dist, name, source)))
}

/** The functions whose bundles have something of a package. */
const having = (name: string): string[] =>
  names.filter((each) => sourcesOf(each).some((source) => source.includes(`node_modules/${name}/`)))

test('a bundle has only the packages that its function uses', () => {
  expect(having('@aws-sdk/client-dynamodb')).toEqual(withTables)
  expect(having('@aws-sdk/client-sqs')).toEqual(['catalog-sync'])
  expect(having('jose')).toEqual(['authorizer', 'exchange-session', 'get-embed-session', 'end-embed-session'])
  for (const unused of ['mnemonist', '@aws-sdk/credential-provider-node', '@aws-sdk/nested-clients']) {
    expect(having(unused)).toEqual([])
  }
  const all = new Set(names.flatMap(sourcesOf))
  expect([...all].filter((source) => /\/event-streams\/|\/loadSharedConfigFiles\.js$/.test(source))).toEqual([])
})

describe.each(names)('%s', { concurrent: true }, (name) => {
  test('has the parts of core that it uses, and a bundle within its budget', ({ expect }) => {
    const nouns = new Set(sourcesOf(name).map((source) => /^core\/([^/.]+)\//.exec(source)?.[1]))
    const shared = ['sessions', 'storage', undefined]
    const own = [...nouns].filter((noun) => !shared.includes(noun)).sort()
    expect(own, `If ${name} needs these parts of core, write them into test/starts/expected.ts.`).toEqual(
      expected[name]?.nouns,
    )
    const [size, budget] = [sizes[name] as number, expected[name]?.kilobytes as number]
    const advice = 'npm run build shows all sizes. Leave out what it does not need, or raise its budget here.'
    expect(size, `The bundle of ${name} has ${size.toFixed(1)} KB; its budget is ${budget}. ${advice}`).toBeLessThan(
      budget,
    )
  })

  test('asks what it must while it starts, once, writes nothing and prints nothing', async ({ expect }) => {
    const { asked, printed, answer } = await start(name, 'answers')
    expect(asked.toSorted()).toEqual(expected[name]?.asks)
    expect(printed).toBe('')
    expect((answer as { statusCode?: number }).statusCode).toBe(expected[name]?.status)
  })

  test('asks only what its role allows', ({ expect }) => {
    const { tables } = lambdas[name] as FunctionRecord
    for (const asked of expected[name]?.asks ?? []) {
      const [action, table, partition] = asked.split(' ') as [TableRead, TableName, string]
      const allowed = tables.filter((each) => each.table === table)
      const prefixes = allowed.flatMap(({ reads = [], narrowReads = {} }) => [
        ...(reads.includes(action) ? [''] : []),
        ...(narrowReads[action] ?? []),
      ])
      expect(prefixes.some((prefix) => partition.startsWith(prefix))).toBe(true)
    }
  })

  test('answers its warm-up requests with success, without a database', async ({ expect }) => {
    const { handler: deployed } = await import(`../../functions/${name}.ts`)
    const logged: object[] = []
    const handler = deployed.create({
      // Nothing listens there.
      storage: sendingNothing(connect(tablesWithPrefix('none'), 'http://127.0.0.1:9')),
      now: () => 0,
      log: (entry: object) => logged.push(entry),
      issuer: 'https://embed.test',
      issuance: { issuer: 'https://embed.test', audience: 'https://embed.test', ...defaultLimits },
      signer: () => tokenSigner(keys),
      verificationKeys: async () => verifying,
      deadLetters: () => Promise.reject(new Error('a dead letter')),
    })
    const context = { awsRequestId: '', getRemainingTimeInMillis: () => 60_000 }
    const [first] = await Promise.all((await warmUpRequestsOf(name)).map((event) => handler(event, context)))
    const advice = 'All that it reads is the item of core/storage/item-of-every-kind.ts, which must have what it needs.'
    expect(first, advice).toMatchObject(successOf(name))
    expect(logged).not.toContainEqual(expect.objectContaining({ level: 'error' }))
    expect(logged).not.toContainEqual(expect.objectContaining({ level: 'warn' }))
  })
})

function successOf(name: string): object {
  if (name === 'authorizer') return { isAuthorized: true, context: { allowed: true } }
  if (name === 'catalog-sync') return { batchItemFailures: [] }
  // The exchange alone can sign a token, so that of the warm-up is forged.
  if (name.endsWith('-embed-session')) return { statusCode: 401 }
  return { statusCode: name === 'revoke-session' ? 204 : 200 }
}

/** All functions start by the same code. So one of those that ask for the same tries each trouble. */
const asking = Map.groupBy(withTables, (name) => JSON.stringify(expected[name]?.asks))
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
      expect(answer).toEqual(await answerOf(name))
    },
  )
})
