import {
  type IndexDefinition,
  keyAttributes,
  type TableDefinition,
  type TableName,
  tableDefinitions,
} from '@embed-access/core/storage/tables.ts'
import type { Settings } from './settings.ts'

/** A table, whether the deployment makes it or not. */
export type Table = {
  readonly name: $util.Input<string>
  readonly arn: $util.Input<string>
  /** The KMS key that its readers need; left out: AWS's own, which needs no permission. */
  readonly encryptionKey?: string
}

export type Tables = Readonly<Record<TableName, Table>>

/** The tables as core defines them, and the one with the signing keys, which is there already. */
export function tables(settings: Settings, signingKeys: Table): Tables {
  return {
    catalog: table('Catalog', tableDefinitions.catalog, settings),
    sessions: table('Sessions', tableDefinitions.sessions, settings),
    credentials: table('Credentials', tableDefinitions.credentials, settings),
    signingKeys,
  }
}

/** SST turns on point-in-time recovery. */
function table(
  name: string,
  definition: TableDefinition,
  { production, MAX_TABLE_UNITS: onDemandThroughput }: Settings,
): sst.aws.Dynamo {
  const { partitionKey, sortKey, indexes, expiryAttribute } = definition
  return new sst.aws.Dynamo(name, {
    fields: Object.fromEntries(keyAttributes(definition).map((attribute) => [attribute, 'string' as const])),
    primaryIndex: { hashKey: partitionKey, ...(sortKey && { rangeKey: sortKey }) },
    globalIndexes: Object.fromEntries(indexes.map((index) => [index.name, globalIndex(index)])),
    ...(expiryAttribute && { ttl: expiryAttribute }),
    deletionProtection: production,
    transform: {
      table: (inputs, options) => {
        if (onDemandThroughput) {
          inputs.onDemandThroughput = onDemandThroughput
          // Each index has a limit of its own.
          inputs.globalSecondaryIndexes = $util
            .output(inputs.globalSecondaryIndexes)
            .apply((all = []) => all.map((index) => ({ ...index, onDemandThroughput })))
        }
        // DynamoDB raises it by itself, and operators raise it by the AWS CLI. The provider replaces a table to lower it:
        // https://registry.terraform.io/providers/hashicorp/aws/latest/docs/resources/dynamodb_table#warm_throughput
        options.ignoreChanges = ['warmThroughput']
        return undefined
      },
    },
  })
}

const globalIndex = ({ partitionKey, sortKey, carries }: IndexDefinition) => ({
  hashKey: partitionKey,
  ...(sortKey && { rangeKey: sortKey }),
  projection: carries.length > 0 ? [...carries] : ('keys-only' as const),
})

/** The tables, and the indexes of the catalog, whose keys docs/costs.md names as limits. */
const hotTables = ['catalog', 'sessions'] as const
const hotIndexes = ['byFolder', 'byEmbedTenant', 'byAllEmbedUsers', 'folderTree', 'byDeployment'] as const

/** Has CloudWatch rank the keys that are throttled. In this mode it only counts where there are any. */
export function rankThrottledKeys(tables: Tables): void {
  const rank = (name: string, of: aws.dynamodb.ContributorInsightsArgs) =>
    new aws.dynamodb.ContributorInsights(`${name}Keys`, { ...of, mode: 'THROTTLED_KEYS' })
  for (const table of hotTables) rank(table, { tableName: tables[table].name })
  for (const indexName of hotIndexes) rank(indexName, { tableName: tables.catalog.name, indexName })
}
