import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { inParallel } from '@embed-access/core/storage/in-parallel.ts'
import { type Mistake, mistakes } from './mistakes.ts'

const help = `Usage: npm run infra:mutations [-- word]

Breaks the deployment's code in one way after the other, in copies of it, and runs the tests that have to notice.
Takes some five minutes; ends with 1 if something was not noticed.
`

const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
if (values.help) {
  process.stdout.write(help)
  process.exit()
}

/** Makes each mistake in a copy of its own and runs the tests that have to notice it; a word chooses among them. */
const [word = ''] = positionals
const unnoticed: string[] = []
await inParallel(
  mistakes.filter(({ wrong }) => wrong.includes(word)),
  async (mistake) => {
    const noticed = await notices(mistake)
    process.stdout.write(`${noticed ? 'noticed  ' : 'UNNOTICED'} ${mistake.wrong}\n`)
    if (!noticed) unnoticed.push(mistake.wrong)
  },
  2,
)
if (unnoticed.length > 0) process.exitCode = 1

async function notices({ file, from, to, noticedBy }: Mistake): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), 'mutation-'))
  try {
    for (const part of ['sst.config.ts', 'package.json', 'stacks', 'functions', 'docs']) {
      await cp(part, join(root, part), { recursive: true })
    }
    for (const part of ['node_modules', '.sst']) await symlink(join(process.cwd(), part), join(root, part))
    const path = join(root, file)
    const code = await readFile(path, 'utf8')
    if (!code.includes(from)) throw new Error(`${file} has no ${from}`)
    await writeFile(
      path,
      code.replace(from, () => to),
    )
    return await testsFail(root, noticedBy)
  } finally {
    await rm(root, { recursive: true })
  }
}

/** Whether an assertion fails; a config that can't be evaluated at all would prove nothing. */
async function testsFail(root: string, name: string): Promise<boolean> {
  const config = 'test/infrastructure/vitest.config.ts'
  const child = spawn('vitest', ['run', '--config', config, `test/infrastructure/${name}.test.ts`], {
    env: { ...process.env, INFRASTRUCTURE_ROOT: root, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const output = await text(child.stdout)
  if (!/Tests .*\d/.test(output)) throw new Error(`the tests did not run:\n${output}`)
  return /Tests .*\d+ failed/.test(output)
}
