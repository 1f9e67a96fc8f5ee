import * as commands from '@aws-sdk/lib-dynamodb'
import type { ItemKey } from '@embed-access/core/storage/item.ts'
import fc from 'fast-check'
import type { Command } from './database.ts'
import { idOf } from './table.ts'

/** A command as plain data, which a failing test can show. */
export type PlainCommand = { readonly command: string; readonly input: object }

export function commandOf({ command, input }: PlainCommand): Command {
  const Named = Reflect.get(commands, `${command}Command`) as new (input: object) => Command
  return new Named(input)
}

const plain = (command: string) => (input: object) => ({ command, input })

export const allKeys = ['a', 'b', 'c'].flatMap((pk) =>
  ['record', 'share', 'share#north'].map((sk) => ({ pk, sk })),
)
const key = fc.constantFrom(...allKeys)
const keys = fc.uniqueArray(key, { minLength: 1 })

const number = fc.integer({ min: 0, max: 4 })
const text = fc.constantFrom('', 'a1', 'b10', 'b11', 'Z', 'é')
const value = fc.oneof(
  number,
  text,
  fc.boolean(),
  fc.constant(null),
  fc.array(text),
  fc.record({ x: text }),
)
const optional = { requiredKeys: [] }

const attributes = fc.record(
  {
    revision: number,
    version: text,
    facts: value,
    'group:a b': fc.record({ description: fc.option(text), revision: number }, optional),
    tenant: fc.constantFrom('n', 's'),
    shared: fc.constantFrom('fa1', 'fb10', 'wa1', 'wb12'),
    tree: fc.constant('1'),
    treeEntry: fc.constantFrom('fa1', 'fa2', 'fb10'),
    parentId: number,
    added: number,
  },
  optional,
)

const conditions = fc.constantFrom(
  'attribute_not_exists(pk)',
  'attribute_exists(#r)',
  'attribute_not_exists(#g) AND facts = :value',
  'facts IN (:value, :version) OR (#r IN (:revision))',
  'version = :version AND revision > :revision',
  'attribute_not_exists(revision) OR revision < :revision',
  '#r > :revision OR facts = :value AND (attribute_not_exists(version) OR #r<=:revision)',
  '(revision = :revision OR version = :version AND attribute_exists(facts))',
)
const condition = fc.record({
  ConditionExpression: conditions,
  ReturnValuesOnConditionCheckFailure: fc.constantFrom(undefined, 'ALL_OLD'),
})
const maybe = fc.oneof(fc.constant({}), condition)

const updates = fc.constantFrom(
  'SET facts = :value',
  'SET version=:version,#g=:value REMOVE tenant,#r ADD added :revision',
  'SET revision = :revision, version = :version ADD added :revision',
  'SET tenant = :tenant REMOVE facts, parentId',
  'SET facts = :value ADD deploymentIds :ids',
)

const names = { '#r': 'revision', '#g': 'group:a b' }
const values = fc.record({
  ':value': value,
  ':version': text,
  ':revision': number,
  ':tenant': fc.constant('n'),
  ':ids': fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
    .map((all) => new Set(all)),
})

/** A write with its condition. DynamoDB refuses placeholders that no expression has. */
const writeOf = ([input, condition, values]: readonly object[]): {
  Item?: ItemKey
  Key?: ItemKey
} => {
  const write = { ...input, ...condition }
  const text = JSON.stringify(write)
  const used = (placeholders: object = {}) => {
    const entries = Object.entries(placeholders).filter(([name]) => text.includes(name))
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  }
  return {
    ...write,
    ExpressionAttributeNames: used(names),
    ExpressionAttributeValues: used(values),
  } as object
}

/** The four writes, alone or in a transaction. */
function writesTo(TableName: string) {
  const table = fc.constant(TableName)
  const item = fc.tuple(attributes, key).map(([attributes, key]) => ({ ...attributes, ...key }))
  const ofKey = { TableName: table, Key: key }
  return {
    Put: fc.tuple(fc.record({ TableName: table, Item: item }), maybe, values).map(writeOf),
    Update: fc
      .tuple(fc.record({ ...ofKey, UpdateExpression: updates }), maybe, values)
      .map(writeOf),
    Delete: fc.tuple(fc.record(ofKey), maybe, values).map(writeOf),
    ConditionCheck: fc.tuple(fc.record(ofKey), condition, values).map(writeOf),
  }
}

const partial = fc.constantFrom(
  {},
  {
    ProjectionExpression: '#r, pk, parentId, facts',
    ExpressionAttributeNames: { '#r': 'revision' },
  },
)

const indexes = fc.constantFrom(
  { IndexName: undefined, names: ['pk', 'sk'], partitions: ['a', 'b', 'c'] },
  { IndexName: 'byEmbedTenant', names: ['tenant', 'shared'], partitions: ['n', 's'] },
  { IndexName: 'folderTree', names: ['tree', 'treeEntry'], partitions: ['1'] },
)

const ranges = fc.constantFrom(
  { condition: '', bounds: {} },
  { condition: ' AND #s >= :from', bounds: { ':from': 'fa1' } },
  { condition: ' AND #s >= :from', bounds: { ':from': 'record' } },
  { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': 'fa1', ':to': 'fb10' } },
  { condition: ' AND #s BETWEEN :from AND :to', bounds: { ':from': 'share', ':to': 'wa1' } },
)

function readsOf(TableName: string) {
  const query = fc
    .record({
      index: indexes,
      pick: fc.nat(),
      range: ranges,
      partial,
      Limit: fc.constantFrom(1, 2, 4, undefined),
    })
    .map(({ index: { IndexName, names, partitions }, pick, range, partial, Limit }) => ({
      TableName,
      IndexName,
      Limit,
      ...partial,
      KeyConditionExpression: `#p = :p${range.condition}`,
      ExpressionAttributeNames: {
        '#p': names[0],
        ...(range.condition && { '#s': names[1] }),
        ...('ExpressionAttributeNames' in partial && partial.ExpressionAttributeNames),
      },
      ExpressionAttributeValues: { ':p': partitions[pick % partitions.length], ...range.bounds },
    }))
  const ofKeys = fc.tuple(keys, partial)
  return fc.oneof(
    fc.tuple(key, partial).map(([Key, partial]) => plain('Get')({ TableName, Key, ...partial })),
    ofKeys.map(([Keys, partial]) =>
      plain('BatchGet')({ RequestItems: { [TableName]: { Keys, ...partial } } }),
    ),
    ofKeys.map(([keys, partial]) =>
      plain('TransactGet')({
        TransactItems: keys.map((Key) => ({ Get: { TableName, Key, ...partial } })),
      }),
    ),
    query.map(plain('Query')),
    fc
      .constantFrom(
        {},
        { FilterExpression: 'begins_with(sk, :a)', ExpressionAttributeValues: { ':a': 'share' } },
      )
      .map((filter) => plain('Scan')({ TableName, ...filter })),
  )
}

/**
 * Random commands over nine keys, like those of core: what the simulated database has to answer as
 * the engine does.
 */
export function arbitraryCommand(TableName: string): fc.Arbitrary<PlainCommand> {
  const writes = writesTo(TableName)
  const returning = fc.constantFrom({}, { ReturnValues: 'ALL_OLD' })
  const alone = (write: fc.Arbitrary<object>) =>
    fc.tuple(write, returning).map(([write, more]) => ({ ...write, ...more }))
  const parts = Object.entries(writes).map(([kind, write]) =>
    write.map((write) => ({ kind, write })),
  )
  const transaction = fc
    .uniqueArray(fc.oneof(...parts), {
      minLength: 1,
      maxLength: 4,
      selector: ({ write: { Item, Key } }) => idOf((Item ?? Key) as ItemKey),
    })
    .map((parts) => ({ TransactItems: parts.map(({ kind, write }) => ({ [kind]: write })) }))
  return fc.oneof(
    { weight: 4, arbitrary: alone(writes.Put).map(plain('Put')) },
    { weight: 2, arbitrary: writes.Update.map(plain('Update')) },
    { weight: 1, arbitrary: alone(writes.Delete).map(plain('Delete')) },
    { weight: 2, arbitrary: transaction.map(plain('TransactWrite')) },
    { weight: 4, arbitrary: readsOf(TableName) },
  )
}
