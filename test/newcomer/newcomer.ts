import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { freePort } from '../../local/engine.ts'
import { command } from '../../scripts/chosen.ts'

const help = `Usage: npm run prove -- newcomer [--node VERSION]

Does what a newcomer does, in a temporary directory: clones the last commit, runs the two commands of the README with an
empty cache of npm, pastes the calls of the README and of docs/api.md and the commands of embed-a-page, keys and feed, runs
the examples, and installs the client from its tarball. On Linux all of it is at a pseudo-terminal. Needs git, npm, a network
and bash with curl and jq; on Linux script, of util-linux.

  --node VERSION   with this Node, such as 22, which npm fetches; left out: with the one that is installed
`

const isWindows = process.platform === 'win32'
const repository = fileURLToPath(new URL('../..', import.meta.url))

const use = `
import { createClient, redeem } from '@embed-access/client'
const baseUrl = process.env.API_URL
const client = createClient({ baseUrl, token: 'sk-demo-harborline-admin' })
const { sessionId } = await client.generateSession({ deploymentId: 1001, embedTenantName: 'alder-oak', externalId: 'u-1' })
const token = await (await redeem({ baseUrl, sessionId })).token()
let workbooks = 0
for await (const workbook of client.listEmbedTenantWorkbooks({ deploymentId: 1001, embedTenantName: 'alder-oak' }).items()) workbooks += workbook.id > 0 ? 1 : 0
console.log(token.split('.').length, workbooks > 0)
`

await command(async () => {
  const { values } = parseArgs({ options: { node: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const home = await mkdtemp(join(tmpdir(), 'newcomer-'))
  const running: ChildProcess[] = []
  try {
    await beNewcomer(home, values.node, running)
  } finally {
    for (const child of running) end(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
})

async function beNewcomer(
  home: string,
  version: string | undefined,
  running: ChildProcess[],
): Promise<void> {
  const [clone, project, node] = [join(home, 'clone'), join(home, 'project'), join(home, 'node')]
  const env = cleanEnvironment(join(home, 'cache'))
  if (version) {
    await step(`npm fetches Node ${version}`, `npm install --prefix "${node}" node@${version}`, {
      cwd: home,
      env,
    })
    env.PATH = [join(node, 'node_modules', '.bin'), env.PATH].join(delimiter)
  }
  const versions = await step('the versions', 'node --version && npm --version', { cwd: home, env })
  process.stdout.write(`    Node ${versions.trim().replace('\n', ', npm ')}\n`)

  await step('git clone', `git clone --quiet --depth 1 "file://${repository}" "${clone}"`, {
    cwd: home,
    env,
  })
  const readme = await readFile(join(clone, 'README.md'), 'utf8')
  expect(readme, /^npm ci && npm start$/m)
  await step('npm ci', 'npm ci', { cwd: clone, env })

  const [port, hostPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const page = await readFile(join(clone, 'docs/embed-a-page.md'), 'utf8')
  const [, begin = ''] = /^npm ci && (npm start -- .*)$/m.exec(page) ?? []
  const embedded = `http://127.0.0.1:${hostPort + 1}`
  running.push(
    await start(begin, begin.replace('http://127.0.0.1:3001', embedded), /Listening on/, {
      cwd: clone,
      env: { ...env, PORT: `${port}` },
    }),
  )

  // What follows about one's own catalog takes another server.
  expect(readme, /\n## Your own data\n/)
  const [ofDemo] = readme.split('\n## Your own data\n')
  const text = `${ofDemo}\n${await readFile(join(clone, 'docs/api.md'), 'utf8')}`
  const calls = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    /\bbase\b/.test(block) ? block : [],
  )
  const pasted = `set -e\n${calls.join('\n').replaceAll('http://127.0.0.1:8787', url)}`
  const answers = await step('the calls of README and API', pasted, { cwd: clone, env })
  for (const pattern of [
    /"token":"eyJ/,
    /\n401\n/,
    /\{"sessionId":"[\w-]{43}"\}/,
    /("items":\[\{[\s\S]*){3}/,
  ]) {
    expect(answers, pattern)
  }

  const withUrl = { ...env, API_URL: url }
  expect(
    await step('the example in curl', 'bash examples/embed.sh', { cwd: clone, env: withUrl }),
    /\n204\n$/,
  )
  const example = `npm run example -- --port ${hostPort}`
  running.push(
    await start('npm run example', example, /host application is at/, { cwd: clone, env: withUrl }),
  )
  for (const [origin, allowed] of [
    [embedded, embedded],
    ['https://elsewhere.example', null],
  ] as const) {
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await fetch(`${url}/api/v1/embed/session/token`, { method: 'OPTIONS', headers })
    expect(`${answer.headers.get('access-control-allow-origin')}`, RegExp(`^${allowed}$`))
  }
  const host = await fetch(`http://127.0.0.1:${hostPort}/`)
  expect(`${host.status} ${await host.text()}`, /^200 [\s\S]*Log in as/)

  const at = { cwd: clone, env }
  const [create = ''] = /^npx embed-access keys create .*$/m.exec(page) ?? []
  expect(await step('the key of embed-a-page', create.replace(/http:\S+/, url), at), /^sk-ea_/m)

  const keys = await readFile(join(clone, 'docs/keys.md'), 'utf8')
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

  const feed = await readFile(join(clone, 'docs/feed.md'), 'utf8')
  const [, change = ''] = /--message-body '(\{.*\})'/.exec(feed) ?? []
  await writeFile(join(clone, 'changes.ndjson'), `${change.replace('nId":1,', 'nId":1001,')}\n`)
  const [send = ''] = /^npx embed-access catalog send changes\.ndjson/m.exec(feed) ?? []
  const queue = { CATALOG_QUEUE_URL: `${url}/_local/catalog-changes` }
  expect(
    await step(send, `${send} && npx embed-access catalog dead`, {
      cwd: clone,
      env: { ...env, ...queue },
    }),
    /sent 1, too large 0\n[\s\S]*No change is dead/,
  )

  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await writeFile(join(project, 'use.js'), use)
  await step('npm pack', `npm pack --workspace client --pack-destination "${project}"`, {
    cwd: clone,
    env,
  })
  await step('npm install of the client', 'npm install ./*.tgz', { cwd: project, env })
  expect(
    await step('a program with the client', 'node use.js', { cwd: project, env: withUrl }),
    /^3 true$/m,
  )
}

type Options = { readonly cwd: string; readonly env: NodeJS.ProcessEnv }

/**
 * Without what npm tells its scripts, and with an empty cache. On Windows npm's own scripts need a
 * shell of POSIX.
 */
function cleanEnvironment(cache: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE(_ENV|_OPTIONS|_PATH)?$|^INIT_CWD$|^DYNAMODB_/i.test(name),
  )
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: path.join(delimiter),
    npm_config_cache: cache,
    ...(isWindows && { npm_config_script_shell: 'bash' }),
  }
}

/** What stays on a terminal: without colors, and without the wheel that npm turns. */
function shown(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\r\u2800-\u28ff]/g, '')
}

/** Runs a script of the shell to its end. @returns what it printed */
async function step(name: string, script: string, options: Options): Promise<string> {
  const began = Date.now()
  const child = shell(script, options)
  let printed = ''
  child.stdout?.on('data', (text) => (printed += shown(`${text}`)))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} failed:\n${printed}`)
  report(name, began)
  return printed
}

/** Runs a script of the shell, which goes on after it has printed something. */
async function start(
  name: string,
  script: string,
  until: RegExp,
  options: Options,
): Promise<ChildProcess> {
  const began = Date.now()
  const child = shell(script, options)
  const isUp = new Promise<void>((resolve, reject) => {
    let printed = ''
    child.stdout?.on('data', (text) => {
      printed += text
      if (until.test(printed)) resolve()
    })
    child.once('close', () => reject(new Error(`${name} ended:\n${printed}`)))
    setTimeout(
      () => reject(new Error(`${name} did not come up in two minutes:\n${printed}`)),
      120_000,
    ).unref()
  })
  await isUp.catch((error) => {
    end(child)
    throw error
  })
  report(name, began)
  return child
}

/** Runs a script of the shell: on Linux at a pseudo-terminal, as a newcomer does. */
function shell(script: string, { cwd, env }: Options): ChildProcess {
  const [program, ...args] =
    process.platform === 'linux'
      ? ['script', '--quiet', '--return', '--flush', '--command', script, '/dev/null']
      : ['bash', '-c', script]
  return spawn(program as string, args, {
    cwd,
    env: { ...env, SHELL: 'bash' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: !isWindows,
  })
}

/** Ends it with all that it started. */
function end(child: ChildProcess): void {
  try {
    if (isWindows) child.kill()
    else process.kill(-(child.pid as number), 'SIGINT')
  } catch {
    // It has ended by itself.
  }
}

function report(name: string, began: number): void {
  process.stdout.write(`ok  ${name}, ${((Date.now() - began) / 1000).toFixed(1)} s\n`)
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`Not as it should be: ${pattern} is not in\n${text}`)
}
