import {
  ContinuousBackupsUnavailableException,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { keyAlias } from '../../stacks/names.ts'
import { yesOption } from '../command.ts'
import { createTable } from '../create-tables.ts'
import { databaseClock } from '../database-clock.ts'
import { linesTo, requireConsent, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { optionsOf, sentencesAbout, stageOption, withKeyTable } from './signing-keys.ts'

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
    .action(async ({ replace, yes, ...keeper }) => {
      await withKeyTable(terminal, keeper, async (storage, name) => {
        const now = databaseClock(storage, terminal.now)
        // A local engine has neither KMS keys nor backups.
        await makeTable(storage, terminal.env.DYNAMODB_ENDPOINT ? undefined : keeper.stage)
        const stored = await readStoredKeys(storage)
        if (stored && !replace) {
          throw new Error(
            `There are signing keys of ${name} already. Rotate them with: ` +
              `npx embed-access keys rotate${optionsOf(keeper)}\n` +
              'If a private part has leaked, end all tokens with: ' +
              `npx embed-access keys init${optionsOf(keeper)} --replace`,
          )
        }
        const what = `This ends every token of ${name}.`
        if (stored) await requireConsent(terminal, what, keeper.stage ?? 'replace', yes)
        // Made after a person has answered: from this time on verifiers can know the next key.
        const made = await firstSigningKeys(now())
        await writeSigningKeys(storage, made, stored)
        linesTo(terminal.err)(`Signing keys of ${name} made. ${sentencesAbout(made)}`)
      })
    })

/**
 * The KMS key of a stage's environment encrypts the table of the stage. The table can be restored
 * for 35 days. In production nobody can delete it.
 */
async function makeTable(storage: Storage, stage: string | undefined): Promise<void> {
  const TableName = storage.tables.signingKeys
  if (stage === undefined) return createTable(storage, TableName, tableDefinitions.signingKeys)
  await createTable(storage, TableName, tableDefinitions.signingKeys, {
    SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyAlias(stage) },
    DeletionProtectionEnabled: stage === 'production',
  })
  await keepBackups(storage, TableName)
}

/** How many seconds DynamoDB may take to prepare the backups of a new table. */
const longestPreparation = 120

/** Keeps what a table was at each moment of the last 35 days. */
async function keepBackups(storage: Storage, TableName: string): Promise<void> {
  const command = new UpdateContinuousBackupsCommand({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  for (let seconds = 0; ; seconds += 1) {
    try {
      await storage.client.send(command)
      return
    } catch (error) {
      const isEarly = error instanceof ContinuousBackupsUnavailableException
      if (!isEarly || seconds === longestPreparation) throw error
      await storage.pause(1000)
    }
  }
}
