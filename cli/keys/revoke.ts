import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { revokeApiKey } from './api-keys.ts'
import { hashFromStdin, hashWith } from './api-options.ts'

export const revoke = (terminal: Terminal) =>
  onTables('revoke', 'Revokes an API key, by the beginning of its hash or by the key itself.', {
    examples: [
      'npx embed-access keys revoke 3f9a2c41b7de',
      'npx embed-access keys revoke --key-from-stdin < leaked-key',
    ],
    deletes: 'the key, until a catalog brings it again',
  })
    .argument('[hash]', 'the beginning of the hash, as list shows it', hashWith(8))
    .option('--key-from-stdin', 'reads the key itself from standard input')
    .action(async (hash, { url, data, keyFromStdin }, command) => {
      if ((hash === undefined) === (keyFromStdin === undefined)) {
        command.error('Name the key by the beginning of its hash, or use --key-from-stdin.')
      }
      const revoked = await withStorage(terminal, { url, data }, async (storage) =>
        revokeApiKey(storage, hash ?? (await hashFromStdin(terminal))),
      )
      linesTo(terminal.err)(
        revoked
          ? `Revoked ${quoted(revoked.name)} of user ${revoked.userId}. ` +
              'If your catalog has the key, delete it there too.'
          : 'The key was already revoked.',
      )
    })
