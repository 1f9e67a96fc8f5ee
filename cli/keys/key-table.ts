import { DeleteTableCommand, ResourceNotFoundException, UpdateContinuousBackupsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@embed-access/core/storage/create-tables.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { keyAlias, keyTableName } from '../../stacks/names.ts'
import { type Terminal, UsageError } from '../command.ts'
import { optionWords } from '../shell-word.ts'
import { type Place, withStorage } from '../with-storage.ts'

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

/** @throws UsageError if nothing says which table */
export function keyTable(
  terminal: Pick<Terminal, 'env'>,
  { stage, url, data }: Place & { readonly stage?: string | undefined },
): KeyTable {
  const { SIGNING_KEYS_TABLE, DYNAMODB_ENDPOINT } = terminal.env
  if (!SIGNING_KEYS_TABLE && !DYNAMODB_ENDPOINT && [stage, url, data].every((each) => each === undefined)) {
    throw new UsageError(
      'Say whose signing keys: --stage NAME for a deployed stage; --url, --data or DYNAMODB_ENDPOINT for a local server.',
    )
  }
  const env = stage === undefined ? terminal.env : { ...terminal.env, SIGNING_KEYS_TABLE: keyTableName(stage) }
  return {
    name: stage === undefined ? 'the local server' : `stage ${stage}`,
    argument: optionWords({ '--stage': stage, '--url': url, '--data': data }),
    use: (work) => withStorage({ ...terminal, env }, { url, data }, work),
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

/** Removes the table of a stage, which ends all tokens. A stage without one is removed already. */
export async function removeTable(terminal: Terminal, stage: string): Promise<void> {
  await keyTable(terminal, { stage }).use(async ({ client, tables }) => {
    try {
      await client.send(new DeleteTableCommand({ TableName: tables.signingKeys }))
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error
    }
  })
}
