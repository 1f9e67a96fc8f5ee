import { keyAttributes, type TableDefinition, tableDefinitions } from '@embed-access/core/storage/tables.ts'
import { describe, expect, inject, test } from 'vitest'
import { ofType } from './evaluate.ts'

const stages = { production: inject('production'), preview: inject('preview') }

/** A table as AWS would describe it, from core's definition. */
const asDefined = ({ partitionKey, sortKey, indexes, expiryAttribute, ...definition }: TableDefinition) => ({
  hashKey: partitionKey,
  rangeKey: sortKey,
  attributes: keyAttributes({ partitionKey, ...(sortKey && { sortKey }), indexes, ...definition })
    .map((name) => ({ name, type: 'S' }))
    .sort(byName),
  globalSecondaryIndexes: indexes
    .map(({ name, partitionKey, sortKey, carries }) => ({
      name,
      hashKey: partitionKey,
      ...(sortKey && { rangeKey: sortKey }),
      ...(carries.length > 0
        ? { projectionType: 'INCLUDE', nonKeyAttributes: carries }
        : { projectionType: 'KEYS_ONLY' }),
    }))
    .sort(byName),
  ttl: expiryAttribute && { attributeName: expiryAttribute, enabled: true },
})

/** The signing keys are in a table that a command makes. */
const { signingKeys: _, ...made } = tableDefinitions

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

describe.each(Object.entries(stages))('%s', (stage, evaluation) => {
  const tables = ofType(evaluation, 'aws:dynamodb/table:Table')

  test('has exactly the tables that core defines', () => {
    expect(tables.map(({ name }) => name).sort()).toEqual(['CatalogTable', 'CredentialsTable', 'SessionsTable'])
  })

  test.each(Object.entries(made))('%s has the keys, indexes and expiry of its definition', (name, definition) => {
    const { inputs } = tables.find((table) => table.name.toLowerCase() === `${name}table`) as (typeof tables)[number]
    const { hashKey, rangeKey, attributes, globalSecondaryIndexes, ttl } = inputs
    expect({
      hashKey,
      rangeKey,
      attributes: attributes.sort(byName),
      globalSecondaryIndexes: globalSecondaryIndexes.sort(byName),
      ttl,
    }).toEqual(asDefined(definition))
    expect(inputs.localSecondaryIndexes).toEqual([])
  })

  test('can be restored to any point in time, and is paid for by request', () => {
    for (const { inputs } of tables) {
      expect(inputs.pointInTimeRecovery).toEqual({ enabled: true })
      expect(inputs.billingMode).toBe('PAY_PER_REQUEST')
    }
  })

  test('protects its tables in production alone', () => {
    for (const { inputs } of tables) expect(inputs.deletionProtectionEnabled).toBe(stage === 'production')
  })
})
