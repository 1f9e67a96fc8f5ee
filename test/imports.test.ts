import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

/** The files beside the nouns of core that every file of core may import. */
const words = ['core/json.ts', 'core/refusal.ts', 'core/schema.ts', 'core/time.ts']
const nouns = [
  'access',
  'dbt-syncs',
  'embed-access',
  'embed-tenants',
  'notifications',
  'sessions',
  'storage',
  'workbooks',
  'catalog',
]
const core = ['core/*.ts', ...nouns.map((noun) => `core/${noun}`)]
const noun = [...words, 'core/storage', 'core/access']
const coreAlone = /^(node:.+|@aws-sdk\/.+|valibot|jose)$/

type Rule = {
  /** The folders and files that it may import, besides its own. */
  readonly of: readonly string[]
  /** The packages that it may import. All of them by default. */
  readonly packages?: RegExp
}

/** What each folder may import. The longest name that a file's path begins with counts. */
const mayImport: Readonly<Record<string, Rule>> = {
  'core/storage': { of: words, packages: coreAlone },
  'core/access': { of: [...words, 'core/storage'], packages: coreAlone },
  'core/embed-tenants': { of: noun, packages: coreAlone },
  'core/workbooks': { of: noun, packages: coreAlone },
  'core/embed-access': { of: [...noun, 'core/embed-tenants', 'core/workbooks'], packages: coreAlone },
  'core/dbt-syncs': { of: noun, packages: coreAlone },
  'core/notifications': { of: [...noun, 'core/embed-tenants'], packages: coreAlone },
  'core/sessions': {
    of: [...noun, 'core/embed-tenants'],
    packages: /^(node:.+|@aws-sdk\/.+|valibot|jose|color-name)$/,
  },
  // It writes what the other nouns read.
  'core/catalog': { of: core.filter((each) => each !== 'core/sessions'), packages: coreAlone },
  core: { of: ['core/*.ts'], packages: coreAlone },
  functions: { of: [...core, 'docs/openapi.json'] },
  stacks: { of: [...core, 'functions'] },
  // It starts and runs what is in the others.
  cli: { of: [...core, 'functions', 'stacks', 'local', 'openapi', 'client/make-contract.ts'] },
  local: { of: [...core, 'functions', 'local/playground'] },
  // It runs in a browser.
  'local/playground': { of: ['client/contract.ts'], packages: /^(preact(\/.+)?|jose)$/ },
  openapi: { of: [...core, 'functions'] },
  bench: {
    of: [...core, 'functions', 'local', 'stacks/bundle.ts', 'cli/chosen.ts', 'cli/command.ts'].concat(
      ['catalog', 'operations', 'pages', 'soak', 'support'].map((folder) => `test/${folder}`),
    ),
  },
  client: { of: [], packages: /^(jose|openapi-fetch|openapi-typescript|typescript|node:.+)$/ },
  // They use the client's package as everybody does.
  examples: { of: [], packages: /^(node:.+|jose|@embed-access\/client)$/ },
}

const ruleOf = (file: string): [string, Rule] | undefined =>
  Object.entries(mayImport)
    .filter(([folder]) => file.startsWith(`${folder}/`))
    .sort(([a], [b]) => b.length - a.length)[0]

/** What a file imports: paths from the root of the project, and names of packages. */
function importsOf(file: string): { readonly path?: string; readonly name: string }[] {
  const statements = /^(?:import|export|\})[^'\n]* from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'/gm
  return [...readFileSync(file, 'utf8').matchAll(statements)].map((match) => {
    const name = match.slice(1).find((each) => each !== undefined) as string
    if (name.startsWith('.')) return { name, path: posix.join(posix.dirname(file), name) }
    return name.startsWith('@embed-access/core/') ? { name, path: name.replace('@embed-access/', '') } : { name }
  })
}

const isWithin = (path: string, place: string): boolean =>
  place === 'core/*.ts' ? /^core\/[\w-]+\.ts$/.test(path) : path === place || path.startsWith(`${place}/`)

function isAllowed(file: string, { name, path }: { readonly name: string; readonly path?: string }): boolean {
  const [folder, { of, packages }] = ruleOf(file) as [string, Rule]
  if (path === undefined) return packages === undefined ? name !== '@embed-access/client' : packages.test(name)
  // Everybody else names core by its package.
  if (path.startsWith('core/') && !file.startsWith('core/') && name.startsWith('.')) return false
  const own = ruleOf(path)?.[0] === folder
  return own || of.some((place) => isWithin(path, place))
}

test('each folder imports what it may, and nothing else', async () => {
  const refused: string[] = []
  let imports = 0
  for await (const file of glob('{core,functions,stacks,cli,local,openapi,bench,client,examples}/**/*.{ts,tsx,mjs}')) {
    if (/node_modules|\/dist\/|^stacks\/platform/.test(file)) continue
    for (const each of importsOf(file)) {
      imports += 1
      if (!isAllowed(file, each)) refused.push(`${file} must not import ${each.name}`)
    }
  }
  expect(refused).toEqual([])
  expect(imports).toBeGreaterThan(1000)
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
  ['local/playground/app.tsx', { name: '../directory.ts', path: 'local/directory.ts' }],
  ['examples/host/start.ts', { name: '../../client/index.ts', path: 'client/index.ts' }],
])('%s must not import what is above it or beside it (%j)', (file, imported) => {
  expect(isAllowed(file, imported)).toBe(false)
})
