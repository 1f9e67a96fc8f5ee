import { verb, yesOption } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { stageFrom } from './api-options.ts'
import { removeSigningKeys } from './signing-keys.ts'

export const remove = (terminal: Terminal) =>
  verb('remove', 'Removes the signing keys of a stage with their table; not those of production.', {
    examples: [
      'npx embed-access keys remove --stage pr-7',
      'npx embed-access keys remove --stage staging',
    ],
    deletes:
      'the keys, and so every token of the stage ends. It asks before that, unless the ' +
      'stage is a preview, pr-NUMBER',
  })
    .requiredOption('--stage <name>', 'a deployed stage', stageFrom)
    .addOption(yesOption)
    .action(async ({ stage, yes }) =>
      linesTo(terminal.err)(await removeSigningKeys(terminal, stage, yes)),
    )
