import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { embedAccess } from '../../cli/embed-access.ts'
import { commanded } from './environment.ts'

const verbs = {
  catalog: 'init import export purge check explain reconcile send dead redrive',
  keys: 'create list revoke init rotate public remove',
  sessions: 'revoke trace',
  '': 'start usage smoke completion',
}

/** Those that delete, or make that something works no longer. */
const deleting =
  'catalog import|catalog purge|catalog reconcile|keys revoke|keys init|keys rotate|' +
  'keys remove|sessions revoke|catalog dead'

/** Those that have a required option. */
const requiring = 'usage|catalog explain|keys create|keys list|keys remove|sessions revoke'

/** Those that end with 1 for one more reason than a failure. */
const ending =
  'usage|smoke|catalog import|catalog check|catalog explain|catalog reconcile|catalog send|' +
  'catalog dead|keys list|sessions revoke|sessions trace'

/** Those whose help says more. */
const saying = 'start|usage|smoke|completion|catalog reconcile|catalog purge'

describe.each(Object.entries(verbs))('npx embed-access %s', (name, all) => {
  const own = all.split(' ')

  test('names its verbs with --help, -h and help', async () => {
    const asks = [
      [name, '--help'],
      [name, '-h'],
      ['help', name],
    ]
    for (const words of asks) {
      const { code, output, said } = await commanded('', words)
      const [, commands = ''] = /\nCommands:\n([\s\S]+?)(\n\n|$)/.exec(output) ?? []
      const named = [...commands.matchAll(/^ {2}(\w+)/gm)].map(([, verb]) => verb)
      const usage = expect.stringContaining(`Usage: ${`embed-access ${name}`.trim()} `)
      expect([code, output, said]).toEqual([0, usage, ''])
      expect(named).toEqual(expect.arrayContaining([...own, 'help']))
    }
  })

  test('says in whole sentences what it is, and what each option and argument is', () => {
    const { stdin, stdout, stderr } = process
    const terminal = { in: stdin, out: stdout, err: stderr, env: {}, now: Date.now, exitCode: 0 }
    const all = embedAccess(terminal)
    const command = all.commands.find((each) => each.name() === name) ?? all
    for (const each of [command, ...command.commands]) {
      expect(each.description()).toMatch(/^[A-Z](?!.* {2}).*\.$/)
      for (const { description } of [...each.options, ...each.registeredArguments])
        expect(description).toMatch(/^[a-z](?!.* {2}).*[^\s.,;:]$/)
    }
  })

  for (const verb of own)
    test(`explains ${verb}: examples, exit codes and what it deletes`, async () => {
      const { code, output, said } = await commanded(name, [verb, '--help'])
      const own = `${name} ${verb}`.trim()
      expect([code, said]).toEqual([0, ''])
      expect(output).toMatch(new RegExp(`^Usage: embed-access ${own} `))
      const [, examples = ''] = /\nExamples:\n([\s\S]+?)\n\n/.exec(output) ?? []
      for (const example of examples.split('\n'))
        expect(example).toMatch(new RegExp(`^ {2}(.*npx embed-access ${own}\\b|npm ${own}$)`))
      const end = '2 the arguments are not right, and nothing was done\\.'
      const [, deletes, one, more] =
        RegExp(` Deletes: (.+?)\\. Exit codes: 0 done; 1 (.+); ${end} *(.*)$`).exec(
          output.replaceAll('\n', ' '),
        ) ?? []
      expect(output.includes('> (required) ')).toBe(requiring.split('|').includes(own))
      for (const part of [deletes, one]) expect(part).toMatch(/^[a-z(].*[\w)]$/)
      expect(one).toMatch(ending.split('|').includes(own) ? /^not done, or [a-z]/ : /^not done$/)
      expect(deletes !== 'nothing').toBe(deleting.split('|').includes(own))
      expect(more !== '').toBe(saying.split('|').includes(own))
      const byHelp = await commanded('help', name === '' ? [verb] : [name, verb])
      expect(byHelp).toMatchObject({ code, output, said })
    })
})

// As bashcompinit calls it, which has not been loaded in a shell without settings.
test('zsh takes the script, also if it has not loaded its completion', async ({ skip }) => {
  skip(spawnSync('zsh', ['-fc', 'exit']).status !== 0, 'zsh is not installed')
  const { output } = await commanded('completion', ['zsh'])
  const calls = `compinit() { compdef() { echo "$*" } }
    ${output}
    emulate sh
    compgen() { echo "$2" }
    COMP_WORDS=(embed-access catalog re); COMP_CWORD=2; _embed_access; echo "\${COMPREPLY[*]}"
    COMP_WORDS=(embed-access keys create --may ''); COMP_CWORD=4; _embed_access
    echo "\${COMPREPLY[*]}"`
  const { stdout, stderr } = spawnSync('zsh', ['-fc', calls], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const [completes, catalog, may] = stdout.split('\n')
  expect(completes).toMatch(/-F _embed_access embed-access$/)
  expect(catalog?.split(' ')).toContain('reconcile')
  expect(may?.split(' ')).toContain('revoke-session')
})

test.each(['bash', 'zsh'])('%s completes verbs and options of the command', async (shell) => {
  const { output } = await commanded('completion', [shell])
  const script = output.slice(output.indexOf('_embed_access() {'))
  expect(output.startsWith(script)).toBe(shell === 'bash')
  const completions = {
    ca: 'catalog',
    'catalog re': 'reconcile redrive',
    'keys create --dep': '--deployments',
    'catalog import x --dry': '--dry-run',
    "completion ''": 'bash zsh --help',
    // Then the shell offers files.
    "catalog import x --data ''": '',
    'keys create --may revoke': 'revoke-session',
    'keys create --may revoke-session --acc': '--account',
  }
  const completing = `${script}\ncompleted() {
    COMP_WORDS=(embed-access "$@"); COMP_CWORD=$#; _embed_access; echo "\${COMPREPLY[*]}"
  }\n`
  const calls = Object.keys(completions).map((words) => `completed ${words}\n`)
  const printed = execFileSync('bash', ['-c', completing + calls.join('')]).toString()
  expect(printed.split('\n').map((line) => line.trim())).toEqual([
    ...Object.values(completions),
    '',
  ])
})
