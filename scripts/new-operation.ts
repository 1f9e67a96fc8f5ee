import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { runForProcess, verb } from '../cli/command.ts'
import { type Terminal, UsageError } from '../cli/terminal.ts'
import { routes } from '../functions/operations/operations.ts'

/** @example camel('list-dbt-syncs') // 'listDbtSyncs' */
const camel = (name: string) =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Asked = { id: string; path: string; noun: string; admin?: true; index?: string }

/** A text to write at the end of a list or record, which is a constant of the file. */
type Row = readonly [file: string, list: string, text: string]

/** The files to make, by path, and the rows to add to others. */
function planned({ id, path, noun, admin, index }: Asked) {
  const things = id.replace(/^list-/, '')
  const words = things.replaceAll('-', ' ')
  const list = camel(id)
  const Type = list.replace(/^list/, '')
  const variables = variablesIn(path)
  const others = variables.filter((name) => name !== 'deploymentId')
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    typeOf(name) === 'number' ? '1' : 'north',
  )
  const reads =
    index === undefined
      ? "reads: ['BatchGetItem', 'Query']"
      : `reads: ['BatchGetItem'], indexes: ['${index}']`
  const within =
    index === undefined
      ? `partition: '', beginning: '${things}#'`
      : `index: '${index}', partition: ''`
  const files = {
    [`core/${noun}/${things}.ts`]: `import { isLive } from '../storage/item.ts'
import { listPage } from '../storage/list.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'

type ${Type} = PageRequest & {
  readonly accountId: string
${variables.map((name) => `  readonly ${name}: ${typeOf(name)}\n`).join('')}}

/**
 * Lists the ${words}, in order of their keys.
 * @throws Refusal \`invalid_cursor\`
 */
export function ${list}(storage: Storage, request: ${Type}): Promise<Page> {
  const { accountId, ${variables.join(', ')} } = request
  const identity = ['${camel(things)}', accountId, ${variables.join(', ')}]
  // Write the partition, and what an item looks like.
  return listPage(storage, { ${within}, identity }, request, async (items) =>
    items.filter(isLive).map((item) => ({ position: item.${index === undefined ? 'sk' : 'order'} as string, json: JSON.stringify(item) })),
  )
}
`,
    [`functions/${id}.ts`]: `import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { ${list} } from '@embed-access/core/${noun}/${things}.ts'
import * as v from 'valibot'
import { forLists, id, pageIf, paging${others.some((name) => typeOf(name) === 'string') ? ', parameter' : ''} } from './http/list.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('${id}', {
  ...forLists,
  input: {
    path: v.object({ deploymentId: id, ${others.map((name) => `${name}: ${typeOf(name) === 'number' ? 'id' : 'parameter'}, `).join('')}}),
    query: v.object(paging),
  },
  answer: ({ storage, recent, principal, path, query }) =>
    pageIf(storage, requireReadableDeployment(storage, principal, path.deploymentId, recent), (reads) =>
      ${list}(reads, { accountId: principal.accountId, ...path, ...query }),
    ),
})
`,
    [`test/${noun}/${things}.test.ts`]: `import { expect, test } from 'vitest'
import { itemsOfEveryList, operationOf, requestOf } from '../operations/requests.ts'
import { pagesOf } from '../support/pages.ts'
import { world } from '../support/service.ts'

const service = world(itemsOfEveryList(5))

test('pages of every size have the same ${words}', async () => {
  const { path } = await requestOf(service, operationOf('${id}'))
  const all = await pagesOf(service, path, {}, 200)
  expect(all).toHaveLength(5)
  for (const first of [1, 2, 4, 5, 6]) expect(await pagesOf(service, path, {}, first)).toEqual(all)
})
`,
  }
  const rows: readonly Row[] = [
    [
      'functions/operations/operations.ts',
      'operations',
      `  '${id}': {
    path: '${path}',
    access: '${admin ? 'admin' : 'read'}',
    ...list,
    tables: [{ table: 'catalog', ${reads} }, revocations],
  },
`,
    ],
    [
      'openapi/operations/lists.ts',
      'dbtSyncs',
      `  // Write what an item has, and an example of it. Move this to the operations of its tag,
  // which document.ts names.
  '${id}': {
    summary: 'List ${words}',
    description: 'Write in which order. ${admin ? 'For admins.' : 'Needs read access to the deployment.'}',
    parameters: {
      ...listParameters,
${others.map((name) => `      ${name}: { description: 'Write whose this is.', example: ${typeOf(name) === 'number' ? '1' : "'north'"} },\n`).join('')}    },
    success: pages('${words}', pageOf(v.strictObject({ id: v.number() })), 'A page of one', onlyPage({ id: 1 })),
  },
`,
    ],
    ['core/access/api-key.ts', 'keyOperations', `  '${id}',\n`],
    [
      'test/operations/requests.ts',
      'items',
      `  // Write the changes that make its item of this number.\n  '${id}': () => [],\n`,
    ],
    [
      'test/operations/isolation.ts',
      'isolation',
      `  '${id}': ${admin ? 'forAdmins' : 'forReaders'},\n`,
    ],
    [
      'test/faults/allowed.ts',
      'rows',
      `  'list ${words}': { id: '${id}', calls: 2, attempts: 9 },\n`,
    ],
    [
      'test/starts/starts.test.ts',
      'expected',
      `  '${id}': { asks: askedByLists, status: 404, kilobytes: 240 },\n`,
    ],
    [
      'test/cli/demo-requests.ts',
      'requests',
      `  '${id}': [['${filled.replace('deployments/1/', 'deployments/1001/')}']],\n`,
    ],
  ]
  return { files, rows }
}

const variablesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
const typeOf = (variable: string) => (variable.endsWith('Id') ? 'number' : 'string')

/** The variables of paths that no test knows yet. */
async function newVariables(path: string): Promise<Row[]> {
  const places = [
    ['test/operations/requests.ts', 'variables'],
    ['bench/caller.ts', 'pathVariables'],
  ] as const
  const known = await readFile('bench/caller.ts', 'utf8')
  const missing = variablesIn(path).filter((name) => !known.includes(`  ${name}: `))
  return places.flatMap(([file, list]) =>
    missing.map((name): Row => [file, list, `  ${name}: '1',\n`]),
  )
}

/**
 * The formatter begins the line that ends a list of the file with its bracket.
 * @throws Error if a file has no such list
 */
async function withRows(rows: readonly Row[]): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [file, list, text] of rows) {
    const content = files.get(file) ?? (await readFile(file, 'utf8'))
    const found = RegExp(`^(export )?const ${list}\\b[^]*?\n(?=[}\\]])`, 'm').exec(content)
    if (!found) throw new Error(`${file} has no ${list}, where this belongs:\n${text}`)
    const place = found.index + found[0].length
    files.set(file, content.slice(0, place) + text + content.slice(place))
  }
  return files
}

/** @throws UsageError where the list could not be as it is asked for */
async function requirePossible({ id, path, noun, index }: Asked): Promise<void> {
  const require = (isSo: boolean, otherwise: string) => {
    if (!isSo) throw new UsageError(otherwise)
  }
  require(/^list(-[a-z]+)+$/.test(id) &&
    id.length <=
      40, 'The name must be like list-notification-recipients, of at most 40 characters.')
  require(routes.every((route) => route.id !== id), `There is an operation ${id} already.`)
  require(/^\/api\/v1\/deployments\/\{deploymentId\}(\/([a-z-]+|\{[a-z][A-Za-z]*\}))+$/.test(
    path,
  ), 'The path must be like /api/v1/deployments/{deploymentId}/notifications/{notificationId}/recipients.')
  const variables = variablesIn(path)
  require(new Set(variables).size === variables.length, 'The path has a variable twice.')
  const shape = (text: string) => text.replaceAll(/\{\w+\}/g, '{}')
  const same = routes.find((route) => route.method === 'GET' && shape(route.path) === shape(path))
  require(same === undefined, `${same?.id} has this path already.`)
  const folders = await readdir('core', { withFileTypes: true })
  const nouns = folders.filter((each) => each.isDirectory() && each.name !== 'node_modules')
  const names = nouns.map((each) => each.name)
  require(names.includes(noun), `--noun must be a folder of core: ${names.sort().join(', ')}.`)
  const sorted = tableDefinitions.catalog.indexes.filter(({ sortKey }) => sortKey === 'order')
  const indexes = sorted.map(({ name }) => name)
  require(index === undefined ||
    indexes.includes(
      index,
    ), `--index must be an index that is sorted by order: ${indexes.join(', ')}.`)
}

const about =
  'Adds an operation that lists what lies in a partition of the catalog, or of an index of it. It ' +
  'writes its record, its function, what it reads in core, its description, a test, and its row ' +
  'in each test that asks every operation. What is left to write is marked "Write", and the ' +
  'tests say what is missing where (CONTRIBUTING.md#add-an-operation).'

const newOperation = (terminal: Terminal) =>
  verb('npm run new-operation --', about, {
    examples: [
      'npm run new-operation -- list-folders /api/v1/deployments/{deploymentId}/folders --noun workbooks',
    ],
  })
    .argument('<name>', 'such as list-notification-recipients')
    .argument(
      '<path>',
      "such as '/api/v1/deployments/{deploymentId}/notifications/{notificationId}/recipients'",
    )
    .requiredOption('--noun <noun>', 'the folder of core that reads it')
    .option('--admin', 'for admins only; without it, for everybody who may read the deployment')
    .option(
      '--index <index>',
      'the index whose partition is listed; without it, a partition of the table',
    )
    .action(async (id, path, options) => {
      await requirePossible({ id, path, ...options })
      const { files, rows } = planned({ id, path, ...options })
      const changed = await withRows([...rows, ...(await newVariables(path))])
      const made = Object.entries(files)
      for (const [file] of made)
        if (existsSync(file)) throw new UsageError(`There is ${file} already.`)
      for (const [file, content] of made) await writeFile(file, content, { flag: 'wx' })
      for (const [file, content] of changed) await writeFile(file, content)
      for (const file of [...made.map(([file]) => file), ...changed.keys()])
        terminal.out.write(`${file}\n`)
      terminal.out.write('Now: npm run format, npx tsc --noEmit, and the tests.\n')
    })

if (import.meta.main) await runForProcess(newOperation)
