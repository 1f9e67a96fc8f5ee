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
      await withKeyTable(terminal, { stage }, async (storage, name) => {
        const what = `This ends every token of ${name}.`
        await requireConsent(terminal, what, stage, yes || isPreview)
        const { client, tables } = storage
        const table = { TableName: tables.signingKeys }
        await client.send(new DeleteTableCommand(table)).catch(undefinedIfNotFound)
        linesTo(terminal.err)(`There are no signing keys of ${name}.`)
      })
    })
