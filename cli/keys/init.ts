import { yesOption } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { initSigningKeys, stageOption } from './signing-keys.ts'

export const init = (terminal: Terminal) =>
  onTables('init', 'Makes the first signing keys and their table, before the first deployment.', {
    examples: [
      'npx embed-access keys init --stage production',
      'npx embed-access keys init --stage production --replace',
    ],
    deletes:
      'nothing; with --replace the keys that are there, and so every token ends. ' +
      'It asks before that',
  })
    .addOption(stageOption)
    .option('--replace', 'replaces keys that are there, which ends all tokens')
    .addOption(yesOption)
    .action(async (options) => linesTo(terminal.err)(await initSigningKeys(terminal, options)))
