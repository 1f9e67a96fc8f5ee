import { keyTableName } from './names.ts'

/** The table with a stage's signing keys. It's no resource of the deployment, so no key is ever in the deployment's state. */
export type KeyTable = { readonly name: string; readonly arn: string; readonly encryptionKey: string }

/**
 * Looks up the table that `npm run keys -- init` has made, before anything is deployed.
 * @throws Error with a plain sentence if there are no keys, or their table is not as safe as it has to be
 */
export async function keyTable(stage: string): Promise<KeyTable> {
  const name = keyTableName(stage)
  const init = `npm run keys -- init --stage ${stage}`
  const missing = (cause: unknown) => {
    throw new Error(`Stage ${stage} has no signing keys. Make them first: ${init}. AWS says: ${cause}`, { cause })
  }
  const table = await aws.dynamodb.getTable({ name }).catch(missing)
  // Of the two sets the public one: what is looked up may stand in the deployment's log.
  const key = JSON.stringify({ pk: { S: 'public#keys' } })
  await aws.dynamodb.getTableItem({ tableName: name, key }).catch(missing)

  const { arn, serverSideEncryption, deletionProtectionEnabled, pointInTimeRecovery } = table
  if (!serverSideEncryption.enabled || !serverSideEncryption.kmsKeyArn) {
    throw new Error(`The table ${name} is not encrypted with a KMS key of its own. Encrypt it, then deploy.`)
  }
  if (stage === 'production' && !(deletionProtectionEnabled && pointInTimeRecovery.enabled)) {
    throw new Error(
      `The table ${name} needs deletion protection and point-in-time recovery. Turn both on, then deploy.`,
    )
  }
  return { name, arn, encryptionKey: serverSideEncryption.kmsKeyArn }
}
