import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const nouns = ['access', 'embed-tenants', 'sessions', 'workbooks', 'dbt-syncs', 'notifications', 'catalog', 'storage']
const core = nouns.map((noun) => `core/${noun}`)

/** What each folder may import, beside itself and packages. */
const mayImport: Record<string, readonly string[]> = {
  'core/storage': [],
  'core/access': ['core/storage'],
  'core/embed-tenants': ['core/access', 'core/storage'],
  'core/workbooks': ['core/access', 'core/storage'],
  'core/dbt-syncs': ['core/access', 'core/storage'],
  'core/notifications': ['core/access', 'core/embed-tenants', 'core/storage'],
  'core/sessions': ['core/access', 'core/embed-tenants', 'core/storage'],
  'core/catalog': core.filter((noun) => noun !== 'core/catalog' && noun !== 'core/sessions'),
  functions: core,
  stacks: [...core, 'functions'],
  cli: [...core, 'functions', 'stacks'],
  local: [...core, 'functions', 'cli'],
  'local/playground': [],
  openapi: [...core, 'functions'],
  bench: [...core, 'functions', 'local', 'test/support'],
  client: [],
  examples: ['client'],
}
const folders = Object.keys(mayImport)
const targets = [...folders.filter((folder) => folder !== 'local/playground'), 'test/support']

const place = mkdtempSync(join(tmpdir(), 'imports-'))
afterAll(() => rmSync(place, { recursive: true }))

/** As this project writes it: packages by their names, everything else by its path. */
function specifier(from: string, to: string): string {
  if (to === 'client') return '@embed-access/client'
  if (to.startsWith('core/') && !from.startsWith('core/')) return `@embed-access/${to}/file.ts`
  const path = posix.relative(from, `${to}/file.ts`)
  return path.startsWith('.') ? path : `./${path}`
}

test('the linter lets each folder import what lies below it, and nothing else', () => {
  copyFileSync('biome.json', join(place, 'biome.json'))
  const pairs = folders.flatMap((from) => targets.filter((to) => to !== from).map((to) => [from, to] as const))
  const files = new Map(pairs.map(([from, to]) => [`${from}/${to.replace('/', '-')}.ts`, [from, to] as const]))
  for (const folder of folders) mkdirSync(join(place, folder), { recursive: true })
  for (const [file, pair] of files) writeFileSync(join(place, file), `import { a } from '${specifier(...pair)}'\n`)

  const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--reporter=json']
  const { stdout } = spawnSync('biome', [...args, '--max-diagnostics=none'], { cwd: place, encoding: 'utf8' })
  const refused = (JSON.parse(stdout).diagnostics as { location: { path: string } }[]).map((each) => each.location.path)

  const allowed = Object.fromEntries(folders.map((folder) => [folder, [] as string[]]))
  for (const [file, [from, to]] of files) if (!refused.includes(file)) allowed[from]?.push(to)
  const expected = Object.entries(mayImport).map(([from, to]) => [from, targets.filter((each) => to.includes(each))])
  expect(allowed).toEqual(Object.fromEntries(expected))
})
