import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { put, revised } from '../support/catalog.ts'
import { exported, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { answeringAsAws, commanded, environmentOf } from './environment.ts'
import { type Decision, gateToEngine } from './gate.ts'

const directory = temporaryDirectory()

test('An import stops a minute after its database ends, and resumes to the last line', async () => {
  const storage = await newTables()
  const change = (_: unknown, index: number) =>
    revised(1, put('account', { id: `a${index + 1}.`, name: 'A' }))
  const file = await fileIn(directory, 'changes.ndjson', Array.from({ length: 580 }, change))
  const state = `${file}.import-state`
  const progress = async () => JSON.parse(await readFile(state, 'utf8')).progress
  const goOn = (options = '') =>
    `Continue with: npx embed-access catalog import ${file} --resume${options}\n`

  let decide: (body: string) => Decision = () => 'passes'
  const gate = await gateToEngine((_, body) => decide(body))
  let waited = 0
  const pause = async (milliseconds: number) => {
    waited += milliseconds
  }
  const importing = (endpoint: object, ...options: string[]) =>
    commanded('catalog', ['import', file, '--quiet', ...options], {
      env: { ...environmentOf(storage.tables), ...endpoint },
      time: { now: () => waited, pause },
    })

  // Some lines after the first batch.
  decide = (body) => (body.includes('"a510."') ? 'over' : 'passes')
  const stopped = await importing({ DYNAMODB_ENDPOINT: gate }, '--strict')
  expect(stopped).toMatchObject({ code: 1, output: '' })
  expect(stopped.said).toContain(
    `The database at ${gate} has answered nothing for a minute (ECONNREFUSED). ` +
      `Nothing more was sent.\n${goOn(' --strict')}`,
  )
  expect(stopped.said).not.toContain('not applied')
  expect(waited).toBeGreaterThanOrEqual(60_000)
  const counts = { applied: 500, skipped: 0, refused: 0, failed: 0 }
  expect(await progress()).toMatchObject({ line: 500, counts })

  const refusing = await gateToEngine((_, body) =>
    /"a(560|575)\."/.test(body) ? 'refused' : 'passes',
  )
  const failed = await importing({ DYNAMODB_ENDPOINT: refusing }, '--resume')
  const reason = 'not applied: AccessDeniedException: not allowed'
  expect([failed.code, failed.said]).toEqual([
    1,
    `line 560: ${reason}\nline 575: ${reason}\n${goOn()}`,
  ])
  expect(failed.output).toMatch(/^applied \d+, skipped \d+, refused 0, failed 2\n$/)
  expect(await progress()).toMatchObject({ line: 500, counts: { failed: 0 } })

  expect(await importing({}, '--resume')).toMatchObject({
    code: 0,
    printed: 'applied 502, skipped 78, refused 0, failed 0\n',
  })
  expect([existsSync(state), (await exported(storage)).length]).toEqual([false, 580])
})

test.each(['InternalServerError', 'ThrottlingException'])(
  'An import is as patient with %s at its first request',
  async (name) => {
    let refusals = 0
    await answeringAsAws((operation) =>
      operation === 'DescribeTable' && ++refusals <= 3 ? { __type: name } : {},
    )
    const file = await fileIn(directory, 'account.ndjson', [put('account', { id: 'a', name: 'A' })])
    const time = { now: Date.now, pause: async () => {} }
    const imported = await commanded('catalog', ['import', file, '--quiet'], { time })
    expect([imported.code, refusals]).toEqual([0, 4])
  },
)
