import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
import { stageFrom, verb, yesOption } from '../command.ts'
import { linesTo, requireConsent, type Terminal } from '../terminal.ts'
import { undefinedIfNotFound, withKeyTable } from './signing-keys.ts'

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
    .action(async ({ stage, yes }) => {
      if (stage === 'production')
        throw new Error('The signing keys of production are not removed by a command.')
      const isPreview = /^pr-\d+$/.test(stage)
      const what = `This ends every token of stage ${stage}.`
      await requireConsent(terminal, what, stage, yes || isPreview)
      await withKeyTable(terminal, { stage }, ({ client, tables }) =>
        client
          .send(new DeleteTableCommand({ TableName: tables.signingKeys }))
          .catch(undefinedIfNotFound),
      )
      linesTo(terminal.err)(`Stage ${stage} has no signing keys.`)
    })
