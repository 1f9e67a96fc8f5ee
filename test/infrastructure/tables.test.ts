import { keyAttributes, type TableDefinition, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { expect } from 'vitest'
import { component, testMonitored, testStages } from './suite.ts'

/** A command makes the table of the signing keys. */
const { signingKeys: _, ...definitions } = tableDefinitions
const names = ['CatalogTable', 'CredentialsTable', 'SessionsTable']

testStages('tables are those of core, paid by request, restorable, protected in production', (stage) => {
  const limited = stage.isOwn && {
    onDemandThroughput: { maxReadRequestUnits: 30_000, maxWriteRequestUnits: 8000 },
  }
  const tableOf = (name: string, definition: TableDefinition) => ({
    name: stage.sstName(name),
    attributes: keyAttributes(definition).map((name) => ({ name, type: 'S' })),
    hashKey: definition.partitionKey,
    rangeKey: definition.sortKey,
    ...(definition.expiryAttribute && { ttl: { attributeName: definition.expiryAttribute, enabled: true } }),
    globalSecondaryIndexes: definition.indexes.map(({ name, partitionKey, sortKey, carries }) => ({
      name,
      hashKey: partitionKey,
      rangeKey: sortKey,
      ...(carries.length > 0
        ? { projectionType: 'INCLUDE', nonKeyAttributes: [...carries] }
        : { projectionType: 'KEYS_ONLY' }),
      ...limited,
    })),
    localSecondaryIndexes: [],
    billingMode: 'PAY_PER_REQUEST',
    streamEnabled: false,
    pointInTimeRecovery: { enabled: true },
    deletionProtectionEnabled: stage.isProduction,
    ...limited,
  })
  expect(stage.made('dynamodb:Table')).toEqual(
    Object.fromEntries(
      Object.entries(definitions).map(([name, definition]) => {
        const table = `${component(name)}Table`
        return [table, tableOf(table, definition)]
      }),
    ),
  )
})

testStages('a deployment leaves a throughput that DynamoDB or an operator has raised', ({ resources }) => {
  const tables = resources.filter(({ type }) => type === 'aws:dynamodb/table:Table')
  expect(tables.filter(({ ignored }) => !ignored.includes('warmThroughput'))).toEqual([])
})

testMonitored('CloudWatch ranks throttled keys of what the documents name as limits', ({ made, sstName }) => {
  const tableName = sstName('CatalogTable')
  const mode = 'THROTTLED_KEYS'
  const indexes = ['byFolder', 'byEmbedTenant', 'byAllEmbedUsers', 'folderTree', 'byDeployment']
  const ranked = {
    catalogKeys: { tableName, mode },
    sessionsKeys: { tableName: sstName('SessionsTable'), mode },
    ...Object.fromEntries(indexes.map((indexName) => [`${indexName}Keys`, { tableName, indexName, mode }])),
  }
  expect(made('dynamodb:ContributorInsights')).toEqual(ranked)
})

testStages('removing a stage leaves only production’s tables and DNS records', (stage) => {
  const kept = stage.resources.filter(({ retained, type }) => retained && !type.startsWith('pulumi-nodejs:'))
  const records = Object.keys(stage.made('route53:Record'))
  expect(kept.map(({ name }) => name).sort()).toEqual(stage.isProduction ? [...names, ...records].sort() : [])
})
