import { keyAttributes, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { describe, expect, isMonitored, isProduction, ofType, sstName, stageNames, stages, test } from './suite.ts'

/** The signing keys are in a table that a command makes. */
const { signingKeys: _, ...made } = tableDefinitions

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

const capitalised = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase())

describe.each(stageNames)('%s', (stage) => {
  const tables = ofType(stage, 'aws:dynamodb/table:Table')

  test('a warm throughput that DynamoDB or an operator has raised is left as it is', () => {
    for (const { ignored } of tables) expect(ignored).toContain('warmThroughput')
  })

  test('has the tables that core defines, without the one of the signing keys', () => {
    expect(tables.map(({ name }) => name).sort()).toEqual(['CatalogTable', 'CredentialsTable', 'SessionsTable'])
  })

  test.each(Object.entries(made))(
    '%s is as core defines it, paid by request, restorable, protected in production',
    (name, definition) => {
      const { inputs } = tables.find((table) => table.name === `${capitalised(name)}Table`) as (typeof tables)[number]
      const { partitionKey, sortKey, indexes, expiryAttribute } = definition
      const limited = stage === 'own' && {
        onDemandThroughput: { maxReadRequestUnits: 30_000, maxWriteRequestUnits: 8000 },
      }
      const { attributes, globalSecondaryIndexes, ...others } = inputs
      expect([...attributes].sort(byName)).toEqual(
        keyAttributes(definition)
          .map((name) => ({ name, type: 'S' }))
          .sort(byName),
      )
      expect([...globalSecondaryIndexes].sort(byName)).toEqual(
        indexes
          .map(({ name, partitionKey, sortKey, carries }) => ({
            name,
            hashKey: partitionKey,
            ...(sortKey && { rangeKey: sortKey }),
            ...(carries.length > 0
              ? { projectionType: 'INCLUDE', nonKeyAttributes: [...carries] }
              : { projectionType: 'KEYS_ONLY' }),
            ...limited,
          }))
          .sort(byName),
      )
      expect(others).toEqual({
        name: sstName(stage, `${capitalised(name)}Table`),
        hashKey: partitionKey,
        ...(sortKey && { rangeKey: sortKey }),
        ...(expiryAttribute && { ttl: { attributeName: expiryAttribute, enabled: true } }),
        billingMode: 'PAY_PER_REQUEST',
        localSecondaryIndexes: [],
        streamEnabled: false,
        pointInTimeRecovery: { enabled: true },
        deletionProtectionEnabled: isProduction(stage),
        ...limited,
      })
    },
  )

  test('where people rely on it, keys that docs name as limits are ranked when they are throttled', () => {
    const ranked = ofType(stage, 'aws:dynamodb/contributorInsights:ContributorInsights').map(({ inputs }) => inputs)
    const [catalog, sessions] = ['Catalog', 'Sessions'].map(
      (name) => tables.find((table) => table.name === `${name}Table`)?.inputs.name,
    )
    const expected = [
      { tableName: catalog },
      { tableName: sessions },
      ...['byFolder', 'byEmbedTenant', 'byAllEmbedUsers', 'folderTree', 'byDeployment'].map((indexName) => ({
        ...{ tableName: catalog, indexName },
      })),
    ].map((each) => ({ ...each, mode: 'THROTTLED_KEYS' }))
    const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(Object.entries(each).sort())).sort()
    expect(sorted(ranked)).toEqual(isMonitored(stage) ? sorted(expected) : [])
  })

  test('keeps the tables of production when the stage is removed, and nothing else', () => {
    // Records in Route 53 stay too: routes.test.ts has them.
    const kept = stages[stage].resources
      .filter(({ retained, type }) => retained && !/route53\/record|pulumi-nodejs:dynamic/.test(type))
      .map(({ name }) => name)
    expect(kept.sort()).toEqual(isProduction(stage) ? ['CatalogTable', 'CredentialsTable', 'SessionsTable'] : [])
  })
})
