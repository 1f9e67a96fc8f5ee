import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Route, routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { commanded } from '../cli/environment.ts'

/* What the documents say of this repository: links, commands, paths, code, tests, numbers. */

const isOthers = (path: string): boolean => /node_modules|^dist|^docs.released/.test(path)
const read = (path: string): string => readFileSync(path, 'utf8')
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

const documents = [...globSync('**/*.md', { exclude: isOthers }), 'docs/llms.txt']
const sources = globSync('{**,.github/**,.ci}/*.{ts,tsx,js,mjs,py,yml,html,css,sh,sql}', {
  exclude: isOthers,
})
const source = sources.map(read).join('\n')

type Block = { readonly info: string; readonly code: string }

/** Code within fences, and code within a sentence, which has no info. */
const codeIn = (document: string): readonly Block[] =>
  [...read(document).matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$|`([^`]+)`/gm)].map(
    ([, info = '', block, span]) => ({
      info,
      code: block?.replaceAll('\\\n', ' ') ?? oneLine(span ?? ''),
    }),
  )

/** The anchors that GitHub gives the headings of a file. */
const anchorsOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

const isThere = (path: string, anchor?: string): boolean =>
  globSync(path).length > 0 &&
  (anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor))

/** Stands for what the reader fills in: `NOUN`, `ID.ts`, `…`, `<version>`. */
const isPlaceholder = (text: string): boolean => /\b[A-Z]{2,}\b|[…<]/.test(text)

/** Tests that nothing is wrong in any document, and lists what is, with the document first. */
const testAll = (
  name: string,
  wrongIn: (document: string, blocks: readonly Block[]) => readonly string[] | Promise<string[]>,
) =>
  test(`Every document ${name}`, async () => {
    const wrong: string[] = []
    for (const document of documents)
      for (const each of await wrongIn(document, codeIn(document)))
        wrong.push(`${document}: ${each}`)
    expect(wrong).toEqual([])
  })

testAll('links to files and headings that exist', (document) => {
  const text = read(document).replaceAll(/```[\s\S]*?```/g, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false
    const [path = '', anchor] = link.split('#')
    return !isThere(path === '' ? document : join(dirname(document), path), anchor)
  })
})

const folders =
  '(?:\\.ci|\\.github|bench|cli|client|core|docs|examples|functions|local|openapi|scripts|' +
  'stacks|test)'
const place = RegExp(`(?<![\\w/.:@-])${folders}/[^\\s'"\`#:,()|]+`, 'g')

testAll('names paths that exist', (_, blocks) =>
  blocks
    .flatMap(({ code }) => code.match(place) ?? [])
    .filter(
      (path) =>
        !isPlaceholder(path) && !globSync([path, `${path}.ts`, `test/${path}.test.ts`]).length,
    ),
)

testAll('gives commands that exist, with options that they have', async (document, blocks) => {
  // The changelog tells of commands as they were then.
  if (document === 'CHANGELOG.md') return []
  const wrong: string[] = []
  for (const { command, script, args } of blocks.flatMap(({ code }) => commandsIn(code))) {
    const help = await helpOf(script, args)
    const options = args.match(/(?<= )--[a-z][\w-]*/g) ?? []
    if (help === undefined || options.some((option) => !help.includes(option.slice(2))))
      wrong.push(command)
  }
  return wrong
})

// Without one, SST takes a stage of whoever runs it.
testAll('names the stage in commands of SST', (_, blocks) =>
  blocks
    .flatMap(({ code }) => code.match(/npx sst \w+(?: --stage)?/g) ?? [])
    .filter((command) => !command.endsWith(' --stage')),
)

// SST cannot refresh twice in a row (anomalyco/sst#6758), and each job ends with a refresh.
test('The runbook refreshes a stage only after it has deployed it', () => {
  const runbook = oneLine(read('docs/operations.md'))
  expect(runbook.match(/\S+ \S+ `npx sst refresh/g)).toEqual(['Deploy, run `npx sst refresh'])
})

// Dash and zsh read the pages too. Zsh makes one word of a value that was not quoted.
testAll('has commands that every shell takes', (_, blocks) =>
  blocks
    .filter(({ info }) => info === 'sh')
    .map(({ code }) => code)
    .filter((code) => /<<<|\$\{\w+:\+[^"}]* /.test(code) || spawnSync('sh', ['-nc', code]).status),
)

testAll('has no variable before a colon that zsh takes for a modifier', (document) =>
  [...read(document).matchAll(/\$\w+:[a-z]/gi)].map(([modified]) => modified),
)

testAll('names environment variables that something reads', (_, blocks) =>
  blocks
    .filter(({ info }) => /^(sh)?$/.test(info))
    .map(({ code }) => code.replaceAll(/--\w+ \S+/g, ''))
    .flatMap(
      (code) => code.match(/(?<![\w.-])(?!CREATE_COMPLETE)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [],
    )
    .filter((variable) => !RegExp(`\\b${variable}\\b`).test(source)),
)

testAll('shows code of a file as it is there, if it names the file', (_, blocks) => {
  const flush = (text: string) => text.replaceAll(/^ +/gm, '').trim()
  return blocks.flatMap(({ info, code }) => {
    const [, file] = /^\w+ (\S+)$/.exec(info) ?? []
    return file === undefined || flush(read(file)).includes(flush(code)) ? [] : [info]
  })
})

/** The commands of npm and of the project in a piece of code, without their comments. */
const anyCommand = new RegExp(
  '\\b(?:npm (?:run (?:--silent )?)?(start|test|(?<=run (?:--silent )?)[\\w:-]+)' +
    '|npx (embed-access))\\b((?:(?! #)[^|;&)\\n])*)',
  'g',
)

const commandsIn = (code: string) =>
  [...code.matchAll(anyCommand)].map(([command, script = '', own, args = '']) => ({
    command,
    script: own ?? script,
    args: ` ${args.replace(/^ +-- /, '')}`,
  }))

const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

/**
 * What names the options of a command: its help, or its source; undefined if there is no such
 * command.
 */
async function helpOf(script: string, args: string): Promise<string | undefined> {
  const file = /(\S+\.ts)\b(?!.*\.ts)/.exec(scripts[script] ?? '')?.[1]
  const words = args.trim().split(/\s+/)
  const [first = ''] = words
  if (script === 'embed-access') {
    const names = words.filter((word) => /^[a-z]+$/.test(word)).slice(0, 2)
    const { code, output } = await commanded('', [...names, '--help'])
    return code === 0 && output.startsWith('Usage: embed-access') ? output : undefined
  }
  if (script === 'start') return helpOf('embed-access', 'start')
  if (file === undefined) return scripts[script]
  if (!/^[a-z]/.test(first)) return read(file)
  const part = RegExp(`\\b'?${first}'?: \\[[^\\]]*import\\('(.*?)'\\)`).exec(read(file))?.[1]
  return part && read(join(dirname(file), part))
}

test('Code cites pages and sections that exist', () => {
  const citations = source.match(/docs\/[\w-]+(?:\/[\w-]+)?\.md(?:#[\w-]*)?/g) ?? []
  expect(citations.length).toBeGreaterThan(30)
  // A title in quotes after the name of a page leads nowhere.
  expect(source).not.toMatch(/\b(?:decisions|specification|design|contract),[\s*]+"/)
  expect(
    citations.filter((citation) => !isThere(...(citation.split('#') as [string, string?]))),
  ).toEqual([])
})

test('The README leads to every page of the documentation', () => {
  expect(globSync('docs/*.md').filter((page) => !read('README.md').includes(`(${page})`))).toEqual(
    [],
  )
})

test('No key and no token is among the arguments of a program', () => {
  const shell = documents.flatMap((document) =>
    codeIn(document).filter(({ info }) => info === 'sh'),
  )
  // `printf` and `echo` are the shell's own, so their arguments are nobody else's.
  for (const code of [
    ...shell.map((block) => block.code),
    ...globSync('examples/**/*.sh').map(read),
  ]) {
    expect(code).not.toMatch(
      /(-H|--header) *["'][^"']*(Bearer|Api-Key|Embed-Token) \$|--key[ =]"?\$/,
    )
  }
})

test('Every call of a list by curl asks for gzip', () => {
  const lines = [...documents.map(read), source].join('\n').split('\n')
  const lists = lines.filter((line) => /\bcurl\b.*\/deployments\//.test(line))
  expect(lists.length).toBeGreaterThan(10)
  expect(lists.filter((line) => !line.includes('--compressed'))).toEqual([])
})

// Where success prints nothing, as with revoke, silence would look like it.
test('Every call by curl says so if nothing answers', () => {
  const text = [...documents.map(read), source].join('\n')
  expect(text.match(/\bcurl -sS /g)?.length).toBeGreaterThan(20)
  expect(text.match(/\bcurl (-s|--silent) (?!--show-error).*/g)).toBe(null)
})

test('docs/threats.md cites tests that exist, by words of their names', () => {
  const lastCells = [...read('docs/threats.md').matchAll(/^\|.*\|([^|]*)\|$/gm)].map(
    ([, cell = '']) => cell,
  )
  const citations = lastCells.flatMap((cell) => [
    ...cell.matchAll(/`([a-z-]+\/[a-z-]+)`(?:: ([^`|]+))?/g),
  ])
  expect(citations.length).toBeGreaterThan(80)
  const broken = citations.flatMap(([, file, words = '']) => {
    const path = `test/${file}.test.ts`
    if (!existsSync(path)) return [path]
    const names = [
      ...read(path).matchAll(
        /\(\s*(?:\w+,\s*)?(['"`])(.*?)\1,\s*(?:(?:\{[^}]*\}|\w+),\s*)?(?:async )?\(/g,
      ),
    ]
    const wanted = words.split(';').map((each) => each.trim())
    return wanted
      .filter((each) => !names.some(([, , name]) => name?.includes(each)))
      .map((each) => `${path}: ${each}`)
  })
  expect(broken).toEqual([])
})

test('The README lists every operation, and who may call it', () => {
  const callers = {
    public: 'everybody',
    read: 'readers of the deployment',
    backend: 'readers of the deployment, no embed token',
    admin: 'admins',
    embed: 'whoever has the token',
  }
  const own: Partial<Record<string, string>> = {
    'revoke-session': 'admins, and who generated it',
    'list-embed-workbooks': "an external user's token",
  }
  const caller = ({ id, access }: Route) => own[id] ?? callers[access]
  const rows = [...read('README.md').matchAll(/^\| \[.*?\]\(.*?\) \| `(.*?)` \| (.*?) \|$/gm)].map(
    ([, ...cells]) => cells,
  )
  expect(rows.sort()).toEqual(routes.map((route) => [routeKeyOf(route), caller(route)]).sort())
})

describe('a limit has the same number in the documents and in the code', () => {
  const words: Record<string, number> = { five: 5, ten: 10 }
  const units: Record<string, number> = {
    KiB: 1024,
    MiB: 1024 ** 2,
    minutes: 60,
    days: 24 * 3_600_000,
  }
  const all = oneLine(
    documents
      .filter((document) => document !== 'CHANGELOG.md')
      .map(read)
      .join('\n'),
  )

  /** What a document says, where it says it, and the constant that decides. */
  test.each([
    [
      /Bodies are `application\/json`, at most (\S+ \w+)/,
      'functions/http/unreadable-body.ts',
      'maxBodyBytes',
    ],
    [
      /(\S+ KiB) of `securityContext`|`platformCloud`, and at most (\S+ KiB)/,
      'core/sessions/request.ts',
      'maxSecurityContextBytes',
    ],
    [/nested at most (\d+) deep/, 'core/schema.ts', 'maxDepth'],
    [/(\d+) names in a list/, 'core/sessions/request.ts', 'maxNames'],
    [
      /token (?:of|would have more than) (\S+) bytes/,
      'functions/runtime/environment.ts',
      'maxTokenBytes',
    ],
    [/([\d,]+) groups and \d+ attributes/, 'core/sessions/definition-limits.ts', 'maxGroups'],
    [/[\d,]+ groups and (\d+) attributes/, 'core/sessions/definition-limits.ts', 'maxAttributes'],
    [
      /Groups that sessions define take at most (\S+ KiB)|(\S+ KiB) of groups that sessions define/,
      'core/embed-tenants/session-groups.ts',
      'maxSessionGroupBytes',
    ],
    [
      /([\d,]+) embed tenants (?:of an account )?that sessions named/,
      'core/embed-tenants/session-tenants.ts',
      'defaultMaxEmbedTenants',
    ],
    [
      /`deploymentIds` of a user or API key \| at most (\d+)/,
      'core/catalog/accounts.ts',
      'maxDeploymentIds',
    ],
    [/items on a page: (\d+) by default/, 'core/storage/page.ts', 'defaultPageSize'],
    [/by default, at most (\d+)\./, 'core/storage/page.ts', 'maxPageSize'],
    [/would pass (\S+ \w+)/, 'core/storage/page.ts', 'pageBytes'],
    [/within (\d+) levels/, 'core/workbooks/folder-path.ts', 'maxFolderLevels'],
    [/redeemed once, within (\S+ minutes)/, 'core/access/lifetimes.ts', 'sessionLifetimeSeconds'],
    [/expires sooner: from (\d+) seconds/, 'core/access/lifetimes.ts', 'minTokenSeconds'],
    [/refused within (\d+) seconds/, 'functions/http/authorization.ts', 'authorizerCacheSeconds'],
    [/`Cache-Control: max-age=(\d+)`/, 'core/signing/signing-keys.ts', 'keySetMaxAgeSeconds'],
    [/leaves a tombstone for (\d+ days)/, 'core/catalog/kind.ts', 'tombstoneAge'],
  ])('%s', (phrase, file, constant) => {
    const [, factors = ''] = RegExp(`\\b${constant}(?: =|:) ([\\d_ *]+)`).exec(read(file)) ?? []
    const value = factors
      .split('*')
      .reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
    const said = [...all.matchAll(RegExp(phrase, 'g'))].map(([, ...groups]) => {
      const [number = '', unit = ''] = groups.join('').split(' ')
      return (words[number] ?? Number(number.replaceAll(',', ''))) * (units[unit] ?? 1)
    })
    expect(new Set(said)).toEqual(new Set([value]))
  })
})

test('Each word of the glossary has one row, and occurs in the code', () => {
  const [, glossary = ''] = read('docs/design.md').split(/^## (?:Glossary|Decisions)\n/m)
  const rows = [...glossary.matchAll(/^\| ((?!word|-)[^|]+) \|/gm)].map(([, words = '']) => words)
  const words = rows.flatMap((row) => row.trim().split(', '))
  expect(words.length).toBeGreaterThan(20)
  expect(new Set(words).size).toBe(words.length)
  const code = globSync('{core,functions}/**/*.ts').map(read).join('\n')
  expect(words.filter((word) => !RegExp(`\\b${word}s?\\b`, 'i').test(code))).toEqual([])
})

test('The decisions are numbered without holes', () => {
  const pages = globSync('docs/decisions/*.md').sort()
  const numbers = pages.map((page) => Number(/^# (\d+)\. /.exec(read(page))?.[1]))
  expect(numbers).toEqual(pages.map((_, index) => index + 1))
})
