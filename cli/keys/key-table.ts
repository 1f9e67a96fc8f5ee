import { UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { keyAlias, keyTableName } from '../../stacks/names.ts'
import { type Terminal, UsageError } from '../command.ts'
import { optionWords } from '../shell-word.ts'
import { type Place, withStorage } from '../with-storage.ts'

/** Whose signing keys: those of a deployed stage, or those at a place. */
export type Keeper = Place & { readonly stage?: string | undefined }

export type KeyTable = ReturnType<typeof keyTable>

/**
 * The table with some signing keys: a stage's, or the one that the environment names.
 * @throws UsageError if nothing says which table
 */
export function keyTable(terminal: Pick<Terminal, 'env'>, { stage, url, data }: Keeper) {
  const { SIGNING_KEYS_TABLE, DYNAMODB_ENDPOINT } = terminal.env
  if (!SIGNING_KEYS_TABLE && !DYNAMODB_ENDPOINT && [stage, url, data].every((each) => each === undefined)) {
    throw new UsageError(
      'Say whose signing keys: --stage NAME for a deployed stage; --url, --data or DYNAMODB_ENDPOINT for a local server.',
    )
  }
  const env = stage === undefined ? terminal.env : { ...terminal.env, SIGNING_KEYS_TABLE: keyTableName(stage) }
  return {
    /** As a sentence names it. */
    name: stage === undefined ? 'the local server' : `stage ${stage}`,
    /** As an argument names it; empty where the environment does. */
    argument: optionWords({ '--stage': stage, '--url': url, '--data': data }),
    use: <Result>(work: (storage: Storage) => Promise<Result>) =>
      withStorage({ ...terminal, env }, { url, data }, work),
    /** Makes the table unless it is there. A local engine has neither keys nor backups. */
    make: (storage: Storage) => makeTable(storage, DYNAMODB_ENDPOINT ? undefined : stage),
  }
}

/** A stage's is encrypted with its environment's own KMS key, restorable for 35 days, and in production not to be deleted. */
async function makeTable(storage: Storage, stage: string | undefined): Promise<void> {
  const TableName = storage.tables.signingKeys
  if (stage === undefined) return createTable(storage, TableName, tableDefinitions.signingKeys)
  await createTable(storage, TableName, tableDefinitions.signingKeys, {
    SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyAlias(stage) },
    DeletionProtectionEnabled: stage === 'production',
  })
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  await storage.client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }))
}
