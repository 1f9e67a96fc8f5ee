import { Option } from '@commander-js/extra-typings'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, main, program, type Terminal, wholeNumber } from './command.ts'
import { hashFromStdin, hashWith } from './key-hash.ts'
import { jtiFrom, revoke } from './sessions/revoke.ts'
import { described, trace } from './sessions/trace.ts'
import { environmentHelp, verbsOf, withStorage } from './with-storage.ts'

export function sessions(terminal: Terminal) {
  const print = linesTo(terminal.out)
  const all = program('sessions', terminal)
    .description('Revokes and traces sessions in an incident.')
    .addHelpText('after', `\n${environmentHelp}`)
  const { verb, onTables } = verbsOf(all)

  onTables(
    'revoke',
    'ends embed tokens by what the audit names: one token, or all that an API key or a ' +
      'user has generated until now ' +
      'and in the next 30 seconds',
    {
      examples: [
        'npm run sessions -- revoke --account acme --jti 0VxQb5nP2kzTq1hWc7LdEA',
        'npm run sessions -- revoke --account acme --key-from-stdin < leaked-key',
      ],
      deletes: 'nothing, but no token that it ends works again',
    },
  )
    .requiredOption('--account <id>', 'whose tokens they are')
    .addOption(
      new Option('--jti <jti>', 'one token')
        .argParser(jtiFrom)
        .conflicts(['key', 'keyFromStdin', 'user']),
    )
    .addOption(
      new Option('--key <hash>', 'the hash of an API key, or its beginning')
        .argParser(hashWith(shownHashLength))
        .conflicts(['keyFromStdin', 'user']),
    )
    .addOption(
      new Option('--key-from-stdin', 'reads the API key itself from standard input').conflicts(
        'user',
      ),
    )
    .option('--user <id>', 'an internal user', wholeNumber)
    .action(async ({ url, data, account, keyFromStdin, ...whose }, command) => {
      if (!keyFromStdin && Object.keys(whose).length === 0)
        command.error('Give --jti, --key, --key-from-stdin or --user.')
      const said = await withStorage(terminal, { url, data }, async (storage) => {
        const revoked = keyFromStdin ? { key: await hashFromStdin(terminal) } : whose
        return revoke(storage, account, revoked)
      })
      print(said)
    })

  verb('trace', 'says what became of a session, from lines of the log', {
    examples: ['npm run sessions -- trace 0VxQb5nP2kzTq1hWc7LdEA functions.log'],
    one: 'no line is about the session',
  })
    .argument('<jti>', 'the session’s', jtiFrom)
    .argument('[files...]', 'with the lines. Without any they come from standard input')
    .option('--json', 'prints {"jti", "entries"}, the lines of the log in order of time')
    // One of 64 `jti`s begins with a hyphen, and would be taken for an option.
    .allowUnknownOption()
    .action(async (jti, files, { json }, command) => {
      const option = files.find((file) => file.startsWith('-'))
      if (option !== undefined) command.error(`Unknown option '${option}'`)
      const entries = await trace(jti, files, terminal.in)
      print(json ? quoted({ jti, entries }) : entries.map(described).join('\n'))
    })

  return all
}

await main(import.meta, sessions)
