import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freePort } from '../../local/engine.ts'
import { cleanEnvironment, end, expect, type Options, start, step } from './shell.ts'
import { followTutorial } from './tutorial.ts'

export const help = `Usage: npm run prove -- newcomer [--node VERSION]

Does what a newcomer does, in a temporary directory: clones the last commit, follows
docs/embed-a-page.md to its end with an empty cache of npm, pastes the calls of the README and of
docs/api.md and the commands of keys and feed, and runs the examples. It looks at the own page in
Chromium; without one it makes the page's calls. On Linux all commands are at a pseudo-terminal.
Needs git, npm, a network and bash with curl and jq; on Linux script, of util-linux.

  --node VERSION   with this Node, such as 22, which npm fetches; left out: with the one that is
                   installed
`

const repository = fileURLToPath(new URL('../..', import.meta.url))

export async function run(): Promise<void> {
  const { values } = parseArgs({ options: { node: { type: 'string' } } })
  const home = await mkdtemp(join(tmpdir(), 'newcomer-'))
  const running: ChildProcess[] = []
  try {
    await beNewcomer(home, values.node, running)
  } finally {
    for (const child of running) end(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function beNewcomer(
  home: string,
  version: string | undefined,
  running: ChildProcess[],
): Promise<void> {
  const env = cleanEnvironment(join(home, 'cache'))
  const atHome = { cwd: home, env }
  if (version) {
    await step(`npm fetches Node ${version}`, `npm install --prefix node node@${version}`, atHome)
    env.PATH = [join(home, 'node', 'node_modules', '.bin'), env.PATH].join(delimiter)
  }
  const versions = await step('the versions', 'node --version && npm --version', atHome)
  process.stdout.write(`    Node ${versions.trim().replace('\n', ', npm ')}\n`)
  await step('git clone', `git clone --quiet --depth 1 "file://${repository}" clone`, atHome)

  const clone = join(home, 'clone')
  const hostPort = await freePort()
  const ports = {
    8787: await freePort(),
    3001: hostPort + 1,
    4000: await freePort(),
    4001: await freePort(),
  }
  const url = `http://127.0.0.1:${ports[8787]}`
  const at = { cwd: clone, env: { ...env, PORT: `${ports[8787]}`, API_URL: url } }
  await followTutorial(at, ports, running)
  await pasteCalls(at, url)
  await runExamples(at, url, hostPort, running)
  await manageKeys(at, url)
  await feed(at, url)
}

async function pasteCalls(at: Options, url: string): Promise<void> {
  const readme = await readFile(join(at.cwd, 'README.md'), 'utf8')
  expect(readme, /^npm ci && npm start$/m)
  // What follows about one's own catalog takes another server.
  expect(readme, /\n## Your own data\n/)
  const [ofDemo] = readme.split('\n## Your own data\n')
  const text = `${ofDemo}\n${await readFile(join(at.cwd, 'docs/api.md'), 'utf8')}`
  const calls = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    /\bbase\b/.test(block) ? block : [],
  )
  const pasted = `set -e\n${calls.join('\n').replaceAll('http://127.0.0.1:8787', url)}`
  const answers = await step('the calls of README and API', pasted, at)
  for (const pattern of [
    /"token":"eyJ/,
    /\n401\n/,
    /\{"sessionId":"[\w-]{43}"\}/,
    /("items":\[\{[\s\S]*){3}/,
  ]) {
    expect(answers, pattern)
  }
}

async function runExamples(
  at: Options,
  url: string,
  port: number,
  running: ChildProcess[],
): Promise<void> {
  expect(await step('the example in curl', 'bash examples/embed.sh', at), /\n204\n$/)
  const example = `npm run example -- --port ${port}`
  running.push(await start('npm run example', example, /host application is at/, at))
  const embedded = `http://127.0.0.1:${port + 1}`
  for (const [origin, allowed] of [
    [embedded, embedded],
    ['https://elsewhere.example', null],
  ] as const) {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await fetch(`${url}/api/v1/embed/session/token`, { method: 'OPTIONS', headers })
    expect(`${answer.headers.get('access-control-allow-origin')}`, RegExp(`^${allowed}$`))
  }
  const host = await fetch(`http://127.0.0.1:${port}/`)
  expect(`${host.status} ${await host.text()}`, /^200 [\s\S]*Log in as/)
}

async function manageKeys(at: Options, url: string): Promise<void> {
  const keys = await readFile(join(at.cwd, 'docs/keys.md'), 'utf8')
  let hash = ''
  for (const [line, verb] of keys.matchAll(
    /^(?!.*<)npx embed-access keys (create|list|revoke) [^#\n]+/gm,
  )) {
    const own = line
      .replace('--account acme', '--account harborline')
      .replace('--user 7', '--user 1')
      .replace('--deployments 1,2', '--deployments 1001,1002')
      .replace('3f9a2c41b7de', hash)
    const printed = await step(line.trim(), `${own.trim()} --url ${url}`, at)
    expect(printed, { create: /^sk-ea_/m, list: /nightly job/, revoke: /revoked/i }[verb as 'list'])
    if (verb === 'list') hash = /^([0-9a-f]{12,}).*nightly job/m.exec(printed)?.[1] ?? ''
  }
}

async function feed({ cwd, env }: Options, url: string): Promise<void> {
  const page = await readFile(join(cwd, 'docs/feed.md'), 'utf8')
  const [, change = ''] = /--message-body '(\{.*\})'/.exec(page) ?? []
  await writeFile(join(cwd, 'changes.ndjson'), `${change.replace('nId":1,', 'nId":1001,')}\n`)
  const [send = ''] = /^npx embed-access catalog send changes\.ndjson/m.exec(page) ?? []
  const queue = { CATALOG_QUEUE_URL: `${url}/_local/catalog-changes` }
  const printed = await step(send, `${send} && npx embed-access catalog dead`, {
    cwd,
    env: { ...env, ...queue },
  })
  expect(printed, /sent 1, too large 0\n[\s\S]*No change is dead/)
}
