import {
  type IndexDefinition,
  keyAttributes,
  type TableDefinition,
  type TableName,
  tableDefinitions,
} from '@embed-access/core/storage/tables.ts'
import { keyTableName } from './names.ts'
import type { Settings } from './settings.ts'

type Table = { name: $util.Input<string>; arn: $util.Input<string> }

/**
 * The deployment does not make this table, so no key is ever in the deployment's state. Its readers
 * need its KMS key.
 */
type KeyTable = Table & { encryptionKey: string }

export type Tables = Record<Exclude<TableName, 'signingKeys'>, Table> & {
  signingKeys: KeyTable
}

/**
 * The tables as core defines them, and the one with the signing keys, which is there already.
 * @throws Error with a plain sentence if there are no keys, or their table is not as safe as it has
 * to be
 */
export async function tables(settings: Settings): Promise<Tables> {
  return {
    signingKeys: await keyTable(),
    catalog: table('Catalog', tableDefinitions.catalog, settings),
    sessions: table('Sessions', tableDefinitions.sessions, settings),
    credentials: table('Credentials', tableDefinitions.credentials, settings),
  }
}

/** Looks up the table that `npx embed-access keys init` has made, before anything is deployed. */
async function keyTable(): Promise<KeyTable> {
  const { stage } = $app
  const name = keyTableName(stage)
  const missing = (cause: unknown) => {
    const init = `Make them first: npx embed-access keys init --stage ${stage}.`
    throw new Error(`Stage ${stage} has no signing keys. ${init} AWS says: ${cause}`, { cause })
  }
  const found = await aws.dynamodb.getTable({ name }).catch(missing)
  // The public set, because the deployment's log may show what is looked up.
  const key = JSON.stringify({ pk: { S: 'public#keys' } })
  await aws.dynamodb.getTableItem({ tableName: name, key }).catch(missing)

  const { enabled, kmsKeyArn: encryptionKey } = found.serverSideEncryption
  if (!enabled || !encryptionKey)
    throw new Error(
      `The table ${name} is not encrypted with a KMS key of its own. Encrypt it, then deploy.`,
    )
  const isSafe = found.deletionProtectionEnabled && found.pointInTimeRecovery.enabled
  const needed = 'deletion protection and point-in-time recovery. Turn both on, then deploy.'
  if (stage === 'production' && !isSafe) throw new Error(`The table ${name} needs ${needed}`)
  return { name, arn: found.arn, encryptionKey }
}

/** SST turns on point-in-time recovery. */
function table(
  name: string,
  definition: TableDefinition,
  { production, MAX_TABLE_UNITS }: Settings,
): sst.aws.Dynamo {
  const keys = ({ partitionKey, sortKey }: Pick<IndexDefinition, 'partitionKey' | 'sortKey'>) => {
    return { hashKey: partitionKey, ...(sortKey && { rangeKey: sortKey }) }
  }
  return new sst.aws.Dynamo(name, {
    fields: Object.fromEntries(keyAttributes(definition).map((each) => [each, 'string' as const])),
    primaryIndex: keys(definition),
    globalIndexes: Object.fromEntries(
      definition.indexes.map((index) => {
        return [index.name, { ...keys(index), projection: projectionOf(index.carries) }]
      }),
    ),
    ...(definition.expiryAttribute && { ttl: definition.expiryAttribute }),
    deletionProtection: production,
    transform: {
      table: (inputs, options) => {
        if (MAX_TABLE_UNITS) {
          inputs.onDemandThroughput = MAX_TABLE_UNITS
          // Each index has a limit of its own.
          inputs.globalSecondaryIndexes = $util
            .output(inputs.globalSecondaryIndexes)
            .apply((all = []) =>
              all.map((index) => ({ ...index, onDemandThroughput: MAX_TABLE_UNITS })),
            )
        }
        // DynamoDB raises warm throughput by itself, and operators do by the AWS CLI. To lower it,
        // the provider would replace the table:
        // https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/dynamodb_table#warm_throughput
        options.ignoreChanges = ['warmThroughput']
      },
    },
  })
}

function projectionOf(carries: IndexDefinition['carries']) {
  if (carries === 'all') return carries
  return carries.length > 0 ? [...carries] : 'keys-only'
}

/**
 * The indexes of the catalog by which pages without a filter find their items. One key of each
 * serves a whole deployment, or an embed tenant in it.
 */
const hotIndexes = ['byFolder', 'byEmbedTenant', 'byAllEmbedUsers', 'folderTree', 'byDeployment']

/**
 * Has CloudWatch rank the keys that are throttled. In this mode it counts nothing else.
 */
export function rankThrottledKeys({ catalog, sessions }: Tables): void {
  const rank = (name: string, of: aws.dynamodb.ContributorInsightsArgs) =>
    new aws.dynamodb.ContributorInsights(`${name}Keys`, { ...of, mode: 'THROTTLED_KEYS' })
  rank('catalog', { tableName: catalog.name })
  rank('sessions', { tableName: sessions.name })
  for (const indexName of hotIndexes) rank(indexName, { tableName: catalog.name, indexName })
}
