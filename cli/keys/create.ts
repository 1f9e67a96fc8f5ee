import { Option } from '@commander-js/extra-typings'
import { keyOperations } from '@embed-access/core/access/api-key.ts'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { wholeNumber } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { createApiKey } from './api-keys.ts'
import { deploymentsFrom, expiryFrom, operationsFrom } from './api-options.ts'
import { optionsOf } from './signing-keys.ts'

export const create = (terminal: Terminal) =>
  onTables('create', 'Makes an API key, and prints it once. The key itself is not stored.', {
    examples: ['npx embed-access keys create --account acme --user 7 --expires 90d'],
  })
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--user <id>', 'the user for whom it acts', wholeNumber)
    .option('--name <name>', 'what list shows')
    .option(
      '--deployments <ids>',
      'the only deployments that it opens, such as 1,2',
      deploymentsFrom,
    )
    .addOption(
      new Option('--may <operations>', 'the only operations that it opens, with commas between')
        .choices(keyOperations)
        .argParser(operationsFrom),
    )
    .option('--expires <time>', 'such as 2027-01-31T12:00:00Z, 30d or 12h', (text) =>
      expiryFrom(text, terminal.now()),
    )
    .action(async ({ url, data, ...options }) => {
      const made = (key: string) => {
        const hash = hashOfApiKey(key).slice(0, shownHashLength)
        const revoke = `npx embed-access keys revoke ${hash}${optionsOf({ url, data })}`
        terminal.interrupted = () => `The key may be lost. Revoke it: ${revoke}`
      }
      const key = await withStorage(terminal, { url, data }, (storage) =>
        createApiKey(storage, options, terminal.now(), made).catch((error) => {
          if (isDatabaseUnavailable(error)) terminal.afterwards = terminal.interrupted
          throw error
        }),
      )
      // If the key cannot be written, the process ends, and this never resolves.
      await new Promise<void>((resolve) =>
        terminal.out.write(`${key}\n`, (error) => {
          if (!error) resolve()
        }),
      )
      terminal.interrupted = undefined
      const advice = 'Keep it where you keep secrets.'
      linesTo(terminal.err)(`The key is on standard output, this once. ${advice}`)
    })
