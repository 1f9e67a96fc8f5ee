import { Option } from '@commander-js/extra-typings'
import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, main, program, type Terminal, wholeNumber, yesOption } from './command.ts'
import { hashFromStdin, hashWith } from './key-hash.ts'
import { create, list, revoke, tableOf } from './keys/api.ts'
import {
  deploymentsFrom,
  expiryFrom,
  millisecondsIn,
  operationsFrom,
  stageFrom,
} from './keys/api-options.ts'
import { init, publicPart, remove, rotate } from './keys/signing.ts'
import { environmentHelp, verbsOf, withStorage } from './with-storage.ts'

const stageOption = new Option('--stage <name>', 'a deployed stage')
  .argParser(stageFrom)
  .conflicts(['url', 'data'])

export function keys(terminal: Terminal) {
  const print = linesTo(terminal.out)
  /** For a reader beside the output, which may go into a pipe. */
  const say = linesTo(terminal.err)
  const all = program('keys', terminal)
    .description('Makes, lists and revokes API keys, and makes and rotates signing keys.')
    .addHelpText('after', `\n${environmentHelp}`)
  const { verb, onTables } = verbsOf(all)

  onTables('create', 'makes an API key, and prints it once. The key itself is not stored', {
    examples: ['npm run keys -- create --account acme --user 7 --expires 90d'],
  })
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--user <id>', 'the user for whom it acts', wholeNumber)
    .option('--name <name>', 'what list shows')
    .option(
      '--deployments <ids>',
      'the only deployments that it opens, such as 1,2',
      deploymentsFrom,
    )
    .option(
      '--may <operations>',
      'the only operations that it opens, such as generate-session',
      operationsFrom,
    )
    .option('--expires <time>', 'such as 2027-01-31T12:00:00Z, 30d or 12h', (text) =>
      expiryFrom(text, terminal.now()),
    )
    .action(async ({ url, data, ...options }) => {
      print(
        await withStorage(terminal, { url, data }, (storage) =>
          create(storage, options, terminal.now()),
        ),
      )
      say('This is the key. It is shown only once. Keep it where you keep secrets.')
    })

  onTables('list', 'lists API keys with their hash, scope, expiry and last use', {
    examples: ['npm run keys -- list --account acme'],
    one: 'there is none (0 with --json, which then lists none)',
  })
    .requiredOption('--account <id>', 'the account')
    .option('--user <id>', 'only keys of this user', wholeNumber)
    .option(
      '--json',
      'prints {"keys": [{"hash", "userId", "name", "deploymentIds", "operations", ' +
        '"expiresAt", "lastUsedAt"}]}',
    )
    .action(async ({ url, data, json, account, user }) => {
      const keys = await withStorage(terminal, { url, data }, (storage) =>
        list(storage, account, user),
      )
      if (json) return print(quoted({ keys }))
      const whose = user === undefined ? 'Account' : `User ${user} of account`
      if (keys.length === 0) throw new Error(`${whose} ${printable(account)} has no API key.`)
      print(tableOf(keys))
    })

  onTables('revoke', 'revokes an API key, by the beginning of its hash or by the key itself', {
    examples: [
      'npm run keys -- revoke 3f9a2c41b7de',
      'npm run keys -- revoke --key-from-stdin < leaked-key',
    ],
    deletes: 'the key, until a catalog brings it again',
  })
    .argument('[hash]', 'the beginning of the hash, as list shows it', hashWith(8))
    .option('--key-from-stdin', 'reads the key itself from standard input')
    .action(async (hash, { url, data, keyFromStdin }, command) => {
      if ((hash === undefined) === (keyFromStdin === undefined)) {
        command.error('Name the key by the beginning of its hash, or use --key-from-stdin.')
      }
      const { name, userId } = await withStorage(terminal, { url, data }, async (storage) =>
        revoke(storage, hash ?? (await hashFromStdin(terminal))),
      )
      say(
        `Revoked ${quoted(name)} of user ${userId}. If your catalog has the key, delete it ` +
          'there too.',
      )
    })

  onTables('init', 'makes the first signing keys and their table, before the first deployment', {
    examples: [
      'npm run keys -- init --stage production',
      'npm run keys -- init --stage production --replace',
    ],
    deletes:
      'nothing; with --replace the keys that are there, and so every token ends. It asks ' +
      'before that',
  })
    .addOption(stageOption)
    .option('--replace', 'replaces keys that are there, which ends all tokens')
    .addOption(yesOption)
    .action(async (options) => say(await init(terminal, options)))

  onTables('rotate', 'next -> active -> retired, and a new next, without a deployment', {
    examples: ['npm run keys -- rotate --stage production --older-than 30d'],
    deletes: 'retired keys that no token is signed with any more',
  })
    .addOption(stageOption)
    .option(
      '--older-than <time>',
      'only if the active key has signed for that long, such as 30d',
      millisecondsIn,
    )
    .option('--published-at <url>', 'only if the service there publishes all the keys')
    .action(async (options) => say(await rotate(terminal, options)))

  onTables('public', 'prints the public parts of the signing keys, as the service publishes them', {
    examples: ['npm run keys -- public --stage production'],
  })
    .addOption(stageOption)
    .action(async (options) => print(await publicPart(terminal, options)))

  verb('remove', 'removes the signing keys of a stage with their table; not those of production', {
    examples: ['npm run keys -- remove --stage pr-7', 'npm run keys -- remove --stage ada'],
    deletes:
      'the keys, and so every token of the stage ends. It asks before that, unless the ' +
      'stage is a preview, pr-NUMBER',
  })
    .requiredOption('--stage <name>', 'a deployed stage', stageFrom)
    .addOption(yesOption)
    .action(async ({ stage, yes }) => say(await remove(terminal, stage, yes)))

  return all
}

await main(import.meta, keys)
