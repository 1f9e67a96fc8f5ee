import { DeleteTableCommand, ResourceNotFoundException, UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { keyAlias, keyTableName } from '../../stacks/names.ts'
import { withStorage } from '../with-storage.ts'
import { withTables } from './tables.ts'

/** The table with some signing keys: a stage's, or the one that the environment names. */
export type KeyTable = {
  /** As a sentence names it. */
  readonly name: string
  /** As an argument names it; empty where the environment does. */
  readonly argument: string
  use<Result>(work: (storage: Storage) => Promise<Result>): Promise<Result>
  /** Makes the table unless it is there. */
  make(storage: Storage): Promise<void>
}

/**
 * @param data the data directory of a local server that does not run now
 * @throws Error with a plain sentence unless exactly one thing says which table
 */
export function keyTable(stage: string | undefined, data?: string): KeyTable {
  const { SIGNING_KEYS_TABLE, DYNAMODB_ENDPOINT } = process.env
  if (stage !== undefined && data !== undefined) throw new Error('Give --stage or --data, not both.')
  if (stage === undefined && data === undefined && !SIGNING_KEYS_TABLE && !DYNAMODB_ENDPOINT) {
    throw new Error(
      'Say whose signing keys: --stage NAME for a deployed stage, --data DIR or DYNAMODB_ENDPOINT for a local one.',
    )
  }
  const use: KeyTable['use'] = (work) =>
    stage === undefined ? withTables({ data }, work) : withStorage(work, { signingKeys: keyTableName(stage) })
  return {
    name: stage === undefined ? 'the local server' : `stage ${stage}`,
    argument: stage !== undefined ? ` --stage ${stage}` : data !== undefined ? ` --data ${data}` : '',
    use,
    // A local engine has neither keys nor backups.
    make: (storage) => (stage === undefined || DYNAMODB_ENDPOINT ? make(storage) : makeSafe(storage, stage)),
  }
}

const make = (storage: Storage, protection = {}): Promise<void> =>
  createTable(storage, storage.tables.signingKeys, tableDefinitions.signingKeys, protection)

/** Encrypted with the environment's own KMS key, restorable for 35 days, and in production not to be deleted. */
async function makeSafe(storage: Storage, stage: string): Promise<void> {
  await make(storage, {
    SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyAlias(stage) },
    DeletionProtectionEnabled: stage === 'production',
  })
  await storage.client.send(
    new UpdateContinuousBackupsCommand({
      TableName: storage.tables.signingKeys,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  )
}

/**
 * Removes the table of a stage, which ends all tokens. A stage without one is removed already.
 * @throws Error with a plain sentence for production
 */
export async function removeTable(stage: string): Promise<void> {
  if (stage === 'production') throw new Error('The signing keys of production are not removed by a command.')
  await keyTable(stage).use(async ({ client, tables }) => {
    try {
      await client.send(new DeleteTableCommand({ TableName: tables.signingKeys }))
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error
    }
  })
}
