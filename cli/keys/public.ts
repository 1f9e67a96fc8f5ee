import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { requireKeys, stageOption, withKeyTable } from './signing-keys.ts'

export const publicPart = (terminal: Terminal) =>
  onTables(
    'public',
    'Prints the public parts of the signing keys, as the service publishes them.',
    { examples: ['npx embed-access keys public --stage production'] },
  )
    .addOption(stageOption)
    .action(async (keeper) => {
      const { keys } = await withKeyTable(terminal, keeper, (storage, name) =>
        requireKeys(storage, keeper, name),
      )
      linesTo(terminal.out)(JSON.stringify(publicKeys(keys.keys)))
    })
