import { globSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

/** The files of core itself that every noun may import. */
const words = ['core/json.ts', 'core/refusal.ts', 'core/schema.ts', 'core/time.ts']
const noun = [...words, 'core/storage', 'core/access']
const data = ['dbt-syncs', 'embed-access', 'embed-tenants', 'notifications', 'workbooks'].map(
  (name) => `core/${name}`,
)
const ofTests = ['catalog', 'operations', 'pages', 'soak', 'support'].map(
  (folder) => `test/${folder}`,
)

/**
 * What each folder may import besides its own files. The longest name that a file's path begins
 * with counts.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'core/storage': words,
  'core/access': [...words, 'core/storage'],
  'core/embed-tenants': noun,
  'core/workbooks': noun,
  'core/embed-access': [...noun, 'core/embed-tenants', 'core/workbooks'],
  'core/dbt-syncs': noun,
  'core/notifications': [...noun, 'core/embed-tenants', 'core/workbooks'],
  'core/signing': noun,
  'core/sessions': [...noun, 'core/embed-tenants', 'core/nearest.ts', 'core/signing'],
  // It writes what the other nouns read.
  'core/catalog': [...noun, 'core/*.ts', ...data],
  core: ['core/*.ts'],
  functions: ['core', 'docs/openapi.json'],
  stacks: ['core', 'functions'],
  // It starts and runs what is in the others.
  cli: ['core', 'functions', 'stacks', 'local', 'openapi', 'client/make-contract.ts'],
  local: ['core', 'functions', 'local/playground'],
  // It runs in a browser.
  'local/playground': ['client/contract.ts', 'client/embed-frame.ts'],
  openapi: ['core', 'functions'],
  bench: [
    'core',
    'functions',
    'local',
    'stacks/bundle.ts',
    'scripts/chosen.ts',
    'cli/create-tables.ts',
    'cli/terminal.ts',
    ...ofTests,
  ],
  client: [],
  examples: [],
}

/** The packages that a folder may import, if not all of them but the client's. */
const packages: Readonly<Record<string, RegExp>> = {
  core: /^(node:.+|@aws-sdk\/.+|valibot|jose)$/,
  'core/sessions': /^(node:.+|@aws-sdk\/.+|valibot|jose|color-name)$/,
  'local/playground': /^(preact(\/.+)?|jose)$/,
  client: /^(jose|openapi-typescript|typescript|node:.+)$/,
  // They use the client’s package, or jose, as everybody does.
  examples: /^(node:.+|jose|hono(\/.+)?|@hono\/node-server(\/.+)?|@embed-access\/client(\/\w+)?)$/,
}

test('each folder imports what it may, and nothing else', async () => {
  const refused: string[] = []
  let imports = 0
  for await (const file of glob(
    '{core,functions,stacks,cli,local,openapi,bench,client,examples}/**/*.{ts,tsx,mjs}',
  )) {
    if (/node_modules|\/dist\/|^stacks\/platform/.test(file)) continue
    for (const each of importsOf(file)) {
      imports += 1
      if (!isAllowed(file, each)) refused.push(`${file} must not import ${each.name}`)
    }
  }
  expect(refused).toEqual([])
  expect(imports).toBeGreaterThan(1000)
})

test('no path of a file is the pathname of its URL, where a space is %20', () => {
  const files = globSync('**/*.{ts,tsx,mjs}', { exclude: ['**/node_modules', '.sst', 'dist'] })
  expect(files).toContain('test/mutants/vitest.config.ts')
  const wrong = /new URL\([^()]*, import\.meta\.url\)\.pathname/
  expect(files.filter((file) => wrong.test(readFileSync(file, 'utf8')))).toEqual([])
})

test.each([
  ['core/access/user.ts', { name: '../sessions/token.ts', path: 'core/sessions/token.ts' }],
  ['core/storage/page.ts', { name: '../nearest.ts', path: 'core/nearest.ts' }],
  ['core/workbooks/list.ts', { name: 'preact' }],
  ['functions/get-spec.ts', { name: '../core/json.ts', path: 'core/json.ts' }],
  ['functions/get-spec.ts', { name: '@embed-access/client' }],
  ['local/service.ts', { name: '../cli/start.ts', path: 'cli/start.ts' }],
  ['openapi/document.ts', { name: '../cli/command.ts', path: 'cli/command.ts' }],
  ['openapi/document.ts', { name: '../client/make-contract.ts', path: 'client/make-contract.ts' }],
  ['local/playground/app.tsx', { name: '../accounts.ts', path: 'local/accounts.ts' }],
  ['examples/host/start.ts', { name: '../../client/index.ts', path: 'client/index.ts' }],
])('%s must not import what is above it or beside it (%j)', (file, imported) => {
  expect(isAllowed(file, imported)).toBe(false)
})

type Import = { readonly name: string; readonly path?: string }

/** What a file imports: paths from the root of the project, and names of packages. */
function importsOf(file: string): Import[] {
  const statements =
    /^(?:import|export|\})[^'\n]* from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'/gm
  return [...readFileSync(file, 'utf8').matchAll(statements)].map((match) => {
    const name = match.slice(1).find((each) => each !== undefined) as string
    if (name.startsWith('.')) return { name, path: posix.join(posix.dirname(file), name) }
    return name.startsWith('@embed-access/core/')
      ? { name, path: name.replace('@embed-access/', '') }
      : { name }
  })
}

function isAllowed(file: string, { name, path }: Import): boolean {
  if (path === undefined)
    return (packages[folderOf(file, packages)] ?? /^(?!@embed-access\/client)/).test(name)
  // Everybody else names core by its package.
  if (path.startsWith('core/') && !file.startsWith('core/') && name.startsWith('.')) return false
  const folder = folderOf(file)
  return (
    folder === folderOf(path) ||
    (mayImport[folder] as readonly string[]).some((place) => isWithin(path, place))
  )
}

/** The longest name of a folder that a file's path begins with. */
function folderOf(file: string, folders: object = mayImport): string {
  const within = Object.keys(folders).filter((folder) => file.startsWith(`${folder}/`))
  return within.sort((a, b) => b.length - a.length)[0] as string
}

function isWithin(path: string, place: string): boolean {
  return place === 'core/*.ts'
    ? /^core\/[\w-]+\.ts$/.test(path)
    : path === place || path.startsWith(`${place}/`)
}
