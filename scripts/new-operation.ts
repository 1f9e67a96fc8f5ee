import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { runForProcess, verb } from '../cli/command.ts'
import { type Terminal, UsageError } from '../cli/terminal.ts'
import { routes } from '../functions/operations/operations.ts'

const camel = (name: string) =>
  name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

type Asked = { id: string; path: string; noun: string; index: string; admin?: true }

/** A text to write at the end of a list or record that is a constant of the file. */
type Row = readonly [file: string, list: string, text: string]

const namesOf = (id: string) => {
  const things = id.replace(/^list-/, '')
  const list = camel(id)
  return { list, Type: list.replace(/^list/, ''), things, words: things.replaceAll('-', ' ') }
}

/** The files to make, by path. The formatter breaks their lines. */
function filesFor(asked: Asked): Record<string, string> {
  const { id, noun } = asked
  const { things } = namesOf(id)
  return {
    [`core/${noun}/${things}.ts`]: coreFile(asked),
    [`functions/${id}.ts`]: functionFile(asked),
    [`test/${noun}/${things}.test.ts`]: testFile(asked),
  }
}

function coreFile({ id, path, index }: Asked): string {
  const { list, Type, things, words } = namesOf(id)
  const variables = variablesIn(path)
  return `import { isLive } from '../storage/item.ts'
import { listPage } from '../storage/list.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Storage } from '../storage/storage.ts'

type ${Type} = PageRequest & {
  readonly accountId: string
${variables.map((name) => `  readonly ${name}: ${typeOf(name)}\n`).join('')}}

/**
 * Lists the ${words}, in the order of their index.
 * @throws Refusal \`invalid_cursor\`
 */
export function ${list}(storage: Storage, request: ${Type}): Promise<Page> {
  const { accountId, ${variables.join(', ')} } = request
  const identity = ['${camel(things)}', accountId, ${variables.join(', ')}]
  // Write the partition, and what an item looks like.
  return listPage(storage, { index: '${index}', partition: '', identity }, request, async (items) =>
    items.filter(isLive).map((item) => ({
      position: item.order as string,
      json: JSON.stringify(item),
    })),
  )
}
`
}

function functionFile({ id, path, noun }: Asked): string {
  const { list, things } = namesOf(id)
  const schemaOf = (name: string) => (typeOf(name) === 'number' ? 'id' : 'parameter')
  const variables = variablesIn(path)
  const schemas = ['id', ...variables.map(schemaOf)].sort()
  return `import { requireReadableDeployment } from '@embed-access/core/access/deployment.ts'
import { ${list} } from '@embed-access/core/${noun}/${things}.ts'
import * as v from 'valibot'
import { forLists, pageIf, paging, ${[...new Set(schemas)].join(', ')} } from './http/list.ts'
import { operation } from './http/operation.ts'

export const handler = await operation('${id}', {
  ...forLists,
  input: {
    path: v.object({
${variables.map((name) => `      ${name}: ${schemaOf(name)},\n`).join('')}    }),
    query: v.object(paging),
  },
  answer({ storage, recent, principal, path, query }) {
    const allowed = requireReadableDeployment(storage, principal, path.deploymentId, recent)
    const { accountId } = principal
    return pageIf(storage, allowed, (reads) => ${list}(reads, { accountId, ...path, ...query }))
  },
})
`
}

function testFile({ id }: Asked): string {
  return `import { expect, test } from 'vitest'
import { itemsOfEveryList, operationOf, requestOf } from '../operations/requests.ts'
import { pagesOf } from '../support/pages.ts'
import { world } from '../support/service.ts'

const service = world(itemsOfEveryList(5))

test('pages of every size have the same ${namesOf(id).words}', async () => {
  const { path } = await requestOf(service, operationOf('${id}'))
  const all = await pagesOf(service, path, {}, 200)
  expect(all).toHaveLength(5)
  for (const first of [1, 2, 4, 5, 6]) expect(await pagesOf(service, path, {}, first)).toEqual(all)
})
`
}

function rowsFor({ id, path, admin, index }: Asked): Row[] {
  const { words } = namesOf(id)
  const who = admin ? 'For admins.' : 'Needs read access to the deployment.'
  const described = variablesIn(path)
    .filter((name) => name !== 'deploymentId')
    .map((name) => {
      const example = typeOf(name) === 'number' ? '1' : "'north'"
      return `${name}: { description: 'Write whose this is.', example: ${example} }`
    })
  return [
    [
      'functions/operations/operations.ts',
      'operations',
      `  '${id}': {
    path: '${path}',
    access: '${admin ? 'admin' : 'read'}',
    ...list,
    tables: [{ table: 'catalog', reads: ['BatchGetItem'], indexes: ['${index}'] }, revocations],
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
    description: 'Write in which order. ${who}',
    parameters: { ...listParameters, ${described.join(', ')} },
    success: pages(
      '${words}',
      pageOf(v.strictObject({ id: v.number() })),
      'A page of one',
      onlyPage({ id: 1 }),
    ),
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
      `  'list ${words}': { id: '${id}', calls: 'BatchGet Query', attempts: 9 },\n`,
    ],
    [
      'test/starts/starts.test.ts',
      'expected',
      `  '${id}': { asks: [readsForList], status: 404, kilobytes: 240 },\n`,
    ],
  ]
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
 * Adds each row before the line that ends its list. The formatter begins that line with a bracket.
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

async function requirePossible({ id, path, noun, index }: Asked): Promise<void> {
  const demand = (isSo: boolean, otherwise: string) => {
    if (!isSo) throw new UsageError(otherwise)
  }
  demand(
    /^list(-[a-z]+)+$/.test(id) && id.length <= 40,
    'The name must be like list-notification-recipients, of at most 40 characters.',
  )
  demand(
    routes.every((route) => route.id !== id),
    `There is an operation ${id} already.`,
  )
  demand(
    /^\/api\/v1\/deployments\/\{deploymentId\}(\/([a-z-]+|\{[a-z][A-Za-z]*\}))+$/.test(path),
    `The path must be like ${examplePath}.`,
  )
  const variables = variablesIn(path)
  demand(new Set(variables).size === variables.length, 'The path has a variable twice.')
  const shape = (text: string) => text.replaceAll(/\{\w+\}/g, '{}')
  const same = routes.find((route) => route.method === 'GET' && shape(route.path) === shape(path))
  demand(same === undefined, `${same?.id} has this path already.`)
  const folders = await readdir('core', { withFileTypes: true })
  const nouns = folders.filter((each) => each.isDirectory() && each.name !== 'node_modules')
  const names = nouns.map((each) => each.name)
  demand(names.includes(noun), `--noun must be a folder of core: ${names.sort().join(', ')}.`)
  const sorted = tableDefinitions.catalog.indexes.filter(({ sortKey }) => sortKey === 'order')
  const indexes = sorted.map(({ name }) => name)
  demand(
    indexes.includes(index),
    `--index must be an index that is sorted by order: ${indexes.join(', ')}.`,
  )
}

const examplePath = '/api/v1/deployments/{deploymentId}/notifications/{notificationId}/recipients'

const about =
  'Adds an operation that lists a partition of an index of the catalog. Writes the ' +
  "operation's record, function, file in core, description and test, and its row in each test " +
  'that asks every operation. What you must still write is marked "Write". The tests say what ' +
  'else is missing (CONTRIBUTING.md#add-an-operation).'

const newOperation = (terminal: Terminal) =>
  verb('npm run new-operation --', about, {
    examples: [
      'npm run new-operation -- list-folders ' +
        '/api/v1/deployments/{deploymentId}/folders --noun workbooks --index byDeployment',
    ],
  })
    .argument('<name>', 'such as list-notification-recipients')
    .argument('<path>', `such as '${examplePath}'`)
    .requiredOption('--noun <noun>', 'the folder of core that reads it')
    .requiredOption('--index <index>', 'the index whose partition is listed')
    .option('--admin', 'for admins only; without it, for everybody who may read the deployment')
    .action(async (id, path, options) => {
      const asked = { id, path, ...options }
      await requirePossible(asked)
      const changed = await withRows([...rowsFor(asked), ...(await newVariables(path))])
      const made = Object.entries(filesFor(asked))
      for (const [file] of made)
        if (existsSync(file)) throw new UsageError(`There is ${file} already.`)
      for (const [file, content] of made) await writeFile(file, content, { flag: 'wx' })
      for (const [file, content] of changed) await writeFile(file, content)
      for (const file of [...made.map(([file]) => file), ...changed.keys()])
        terminal.out.write(`${file}\n`)
      terminal.out.write('Now: npm run format, npx tsc --noEmit, and the tests.\n')
    })

if (import.meta.main) await runForProcess(newOperation)
