import { linesTo, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { publicPart, stageOption } from './signing-keys.ts'

export const publicKeys = (terminal: Terminal) =>
  onTables(
    'public',
    'Prints the public parts of the signing keys, as the service publishes them.',
    { examples: ['npx embed-access keys public --stage production'] },
  )
    .addOption(stageOption)
    .action(async (options) => linesTo(terminal.out)(await publicPart(terminal, options)))
