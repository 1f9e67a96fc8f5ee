import { printable, quoted } from '@embed-access/core/catalog/quoted.ts'
import { wholeNumber } from '../command.ts'
import { tableOf } from '../table.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { apiKeysFor } from './api-keys.ts'

export const list = (terminal: Terminal) =>
  onTables('list', 'Lists API keys with their hash, scope, expiry and last use.', {
    examples: ['npx embed-access keys list --account acme'],
    one: 'there is no key (0 with --json, which then lists none)',
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
        apiKeysFor(storage, account, user),
      )
      const print = linesTo(terminal.out)
      if (json) return print(quoted({ keys }))
      const whose = user === undefined ? 'Account' : `User ${user} of account`
      if (keys.length === 0) throw new Error(`${whose} ${printable(account)} has no API key.`)
      print(tableOf(heads, keys.map(cellsOf)))
    })

const heads = ['HASH', 'USER', 'NAME', 'DEPLOYMENTS', 'MAY', 'EXPIRES', 'LAST USED']

type Listed = Awaited<ReturnType<typeof apiKeysFor>>[number]

const cellsOf = (key: Listed): string[] => [
  key.hash,
  String(key.userId),
  quoted(key.name),
  key.deploymentIds?.join(',') ?? 'all of the user’s',
  key.operations?.join(',') ?? 'all',
  key.expiresAt ?? 'never',
  // The key may have been used again up to an hour later, so milliseconds say nothing.
  key.lastUsedAt?.replace(/\.\d+/, '') ?? 'never',
]
