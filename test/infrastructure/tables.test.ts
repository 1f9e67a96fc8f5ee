import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { expect } from 'vitest'
import { tableInput } from '../../cli/create-tables.ts'
import { component, type Inputs, testMonitored, testStages } from './suite.ts'

/** A command makes the table of the signing keys. */
const { signingKeys: _, ...definitions } = tableDefinitions
const names = Object.keys(definitions).map((name) => `${component(name)}Table`)

const keysOf = ([hash, range]: Inputs[]) => {
  return { hashKey: hash?.AttributeName, rangeKey: range?.AttributeName }
}

testStages('tables are as commands make them, restorable, protected in production', (stage) => {
  const limited = stage.isOwn && {
    onDemandThroughput: { maxReadRequestUnits: 30_000, maxWriteRequestUnits: 8000 },
  }
  const tables = stage.made('dynamodb:Table')
  expect(Object.keys(tables).sort()).toEqual(names.toSorted())
  for (const [name, definition] of Object.entries(definitions)) {
    const input: Inputs = tableInput(name, definition)
    const { expiryAttribute: attributeName } = definition
    const table = tables[`${component(name)}Table`]
    expect(table).toEqual({
      ...table,
      attributes: input.AttributeDefinitions.map((each: Inputs) => {
        return { name: each.AttributeName, type: each.AttributeType }
      }),
      ...keysOf(input.KeySchema),
      ...(attributeName && { ttl: { attributeName, enabled: true } }),
      globalSecondaryIndexes: (input.GlobalSecondaryIndexes ?? []).map((index: Inputs) => ({
        name: index.IndexName,
        ...keysOf(index.KeySchema),
        projectionType: index.Projection.ProjectionType,
        nonKeyAttributes: index.Projection.NonKeyAttributes,
        ...limited,
      })),
      billingMode: input.BillingMode,
      pointInTimeRecovery: { enabled: true },
      deletionProtectionEnabled: stage.isProduction,
      ...limited,
    })
  }
})

testStages(
  'a deployment leaves a throughput that DynamoDB or an operator has raised',
  ({ resources }) => {
    const tables = resources.filter(({ type }) => type === 'aws:dynamodb/table:Table')
    expect(tables.filter(({ ignored }) => !ignored.includes('warmThroughput'))).toEqual([])
  },
)

testMonitored(
  'CloudWatch ranks throttled keys, of tables and of indexes that there are',
  ({ made, sstName }) => {
    const ranked = Object.values(made('dynamodb:ContributorInsights'))
    const indexes = tableDefinitions.catalog.indexes.map(({ name }) => name)
    for (const { tableName, indexName, mode } of ranked) {
      expect(mode).toBe('THROTTLED_KEYS')
      expect(indexName ? tableName : sstName('CatalogTable')).toBe(sstName('CatalogTable'))
      expect([undefined, ...indexes]).toContain(indexName)
    }
    // All pages without a filter come from these.
    const hot = ['byAllEmbedUsers', 'byDeployment', 'byEmbedTenant', 'byFolder', 'folderTree']
    expect(ranked.flatMap(({ indexName }) => indexName ?? []).sort()).toEqual(hot)
    const whole = ranked.filter(({ indexName }) => !indexName).map(({ tableName }) => tableName)
    expect(whole.sort()).toEqual(['CatalogTable', 'SessionsTable'].map(sstName))
  },
)

testStages('removing a stage leaves only DNS records and production’s tables', (stage) => {
  const kept = stage.resources.filter(
    ({ retained, type }) => retained && !type.startsWith('pulumi-nodejs:'),
  )
  const records = Object.keys(stage.made('route53:Record'))
  expect(kept.map(({ name }) => name).sort()).toEqual(
    [...(stage.isProduction ? names : []), ...records].sort(),
  )
})
