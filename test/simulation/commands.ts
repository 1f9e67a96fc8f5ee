import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'

const classes = {
  Get: GetCommand,
  BatchGet: BatchGetCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  Put: PutCommand,
  Update: UpdateCommand,
  Delete: DeleteCommand,
  TransactGet: TransactGetCommand,
  TransactWrite: TransactWriteCommand,
}

/** A command as plain data, which a failing test can show. */
export type PlainCommand = { readonly command: keyof typeof classes; readonly input: object }

export const commandOf = ({ command, input }: PlainCommand) => new classes[command](input as never)

/** Random commands over nine keys, like those of core: what the simulated database has to answer as the engine does. */

const pk = fc.constantFrom('a', 'b', 'c')
const sk = fc.constantFrom('record', 'share', 'share#north')
const key = fc.record({ pk, sk })
export const allKeys = ['a', 'b', 'c'].flatMap((pk) => ['record', 'share', 'share#north'].map((sk) => ({ pk, sk })))

const number = fc.integer({ min: 0, max: 4 })
const text = fc.constantFrom('', 'a1', 'b10', 'b11', 'Z', 'é')
const value = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.array(text), fc.record({ x: text }))

const item = fc
  .record(
    {
      revision: number,
      version: text,
      deleted: fc.constant(true),
      facts: value,
      'group:a b': fc.record({ description: fc.option(text), revision: number }, { requiredKeys: [] }),
      tenant: fc.constantFrom('n', 's'),
      shared: fc.constantFrom('fa1', 'fb10', 'wa1', 'wb12'),
      tree: fc.constant('1'),
      treeEntry: fc.constantFrom('fa1', 'fa2', 'fb10'),
      parentId: number,
      added: number,
    },
    { requiredKeys: [] },
  )
  .chain((attributes) => key.map((key) => ({ ...attributes, ...key })))

const names = { '#r': 'revision' }

const conditions = fc.oneof(
  fc.constant({ ConditionExpression: 'attribute_not_exists(pk)' }),
  fc.constant({ ConditionExpression: 'attribute_exists(#r)', ExpressionAttributeNames: names }),
  number.map((revision) => ({
    ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
    ExpressionAttributeValues: { ':revision': revision },
  })),
  fc.record({ ':revision': number, ':version': text }).map((values) => ({
    ConditionExpression: '(revision >= :revision OR revision = :revision) AND NOT (version = :version)',
    ExpressionAttributeValues: values,
  })),
  fc.record({ ':revision': number, ':start': fc.constantFrom('a', 'b1') }).map((values) => ({
    ConditionExpression: '#r > :revision OR attribute_not_exists(#r) AND NOT begins_with(version, :start)',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })),
  fc.tuple(number, number).map(([a, b]) => ({
    ConditionExpression: '#r BETWEEN :least AND :most AND #r <= :most',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ':least': Math.min(a, b), ':most': Math.max(a, b) },
  })),
)

type Placeholders = {
  readonly ExpressionAttributeNames?: Record<string, string>
  readonly ExpressionAttributeValues?: Record<string, unknown>
}

const updates = fc
  .record({ value, more: number, remove: fc.boolean(), add: fc.boolean(), nested: fc.boolean() })
  .map(({ value, more, remove, add, nested }) => ({
    UpdateExpression: [
      `SET tries = if_not_exists(tries, :more) + :more, ${nested ? '#g = :value' : 'facts = if_not_exists(facts, :value)'}`,
      ...(remove ? ['REMOVE tenant, parentId'] : []),
      ...(add ? ['ADD added :more'] : []),
    ].join(' '),
    ExpressionAttributeNames: nested ? { '#g': 'group:a b' } : undefined,
    ExpressionAttributeValues: { ':more': more, ':value': value },
  }))

const old = fc.constantFrom({}, { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const })

/** The four writes as a transaction holds them. */
function writesTo(TableName: string) {
  const condition = fc.tuple(fc.oneof(fc.constant({}), conditions), old).map(([a, b]) => ({ TableName, ...a, ...b }))
  const update = fc.tuple(key, updates, condition).map(([Key, update, condition]) => {
    const { ExpressionAttributeNames, ExpressionAttributeValues }: Placeholders = condition as Placeholders
    const names = { ...update.ExpressionAttributeNames, ...ExpressionAttributeNames }
    return {
      ...condition,
      Key,
      UpdateExpression: update.UpdateExpression,
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...ExpressionAttributeValues },
    }
  })
  return {
    Put: fc.tuple(item, condition).map(([Item, condition]) => ({ ...condition, Item })),
    Update: update,
    Delete: fc.tuple(key, condition).map(([Key, condition]) => ({ ...condition, Key })),
    ConditionCheck: fc
      .tuple(key, conditions, old)
      .map(([Key, condition, old]) => ({ TableName, Key, ...condition, ...old })),
  }
}

const projection = { ProjectionExpression: '#r, pk, parentId, facts', ExpressionAttributeNames: names }
const partial = fc.constantFrom({}, projection)

function reads(TableName: string) {
  const range = fc.constantFrom(
    { condition: '', values: {} },
    { condition: ' AND #s > :a', values: { ':a': 'fa1' } },
    { condition: ' AND #s >= :a', values: { ':a': 'fa2' } },
    { condition: ' AND #s < :a', values: { ':a': 'share#' } },
    { condition: ' AND #s BETWEEN :a AND :b', values: { ':a': 'fa1', ':b': 'fb10' } },
    { condition: ' AND begins_with(#s, :a)', values: { ':a': 's' } },
  )
  const index = fc.constantFrom(
    { IndexName: undefined, keys: ['pk', 'sk'], partitions: ['a', 'b', 'c'] },
    { IndexName: 'byEmbedTenant', keys: ['tenant', 'shared'], partitions: ['n', 's'] },
    { IndexName: 'folderTree', keys: ['tree', 'treeEntry'], partitions: ['1'] },
  )
  const query = fc
    .record({
      index,
      pick: fc.nat(),
      range,
      partial,
      Limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      ScanIndexForward: fc.boolean(),
    })
    .map(({ index: { IndexName, keys, partitions }, pick, range, partial, ...more }) => ({
      TableName,
      ...(IndexName && { IndexName }),
      ...more,
      ...partial,
      KeyConditionExpression: `#p = :p${range.condition}`,
      ExpressionAttributeNames: {
        '#p': keys[0] as string,
        ...(range.condition && { '#s': keys[1] as string }),
        ...('ExpressionAttributeNames' in partial && partial.ExpressionAttributeNames),
      },
      ExpressionAttributeValues: { ':p': partitions[pick % partitions.length], ...range.values },
    }))
  const keys = fc.uniqueArray(key, { minLength: 1, selector: ({ pk, sk }) => pk + sk })
  return fc.oneof(
    fc.tuple(key, partial).map(([Key, partial]) => plain('Get', { TableName, Key, ...partial })),
    fc
      .tuple(keys, partial)
      .map(([Keys, partial]) => plain('BatchGet', { RequestItems: { [TableName]: { Keys, ...partial } } })),
    fc
      .tuple(keys, partial)
      .map(([keys, partial]) =>
        plain('TransactGet', { TransactItems: keys.map((Key) => ({ Get: { TableName, Key, ...partial } })) }),
      ),
    query.map((input) => plain('Query', input)),
    fc
      .constantFrom({}, { FilterExpression: 'begins_with(sk, :a)', ExpressionAttributeValues: { ':a': 'share' } })
      .map((filter) => plain('Scan', { TableName, ...filter })),
  )
}

const plain = (command: PlainCommand['command'], input: object): PlainCommand => ({ command, input })

export function arbitraryCommand(tableName: string): fc.Arbitrary<PlainCommand> {
  const { Put, Update, Delete, ConditionCheck } = writesTo(tableName)
  const returned = fc.constantFrom({}, { ReturnValues: 'ALL_OLD' as const })
  const part = fc.oneof(
    Put.map((Put) => ({ Put })),
    Update.map((Update) => ({ Update })),
    Delete.map((Delete) => ({ Delete })),
    ConditionCheck.map((ConditionCheck) => ({ ConditionCheck })),
  )
  const keyOf = (each: object) => {
    const [{ Item, Key }] = Object.values(each) as [
      { Item?: { pk: string; sk: string }; Key?: { pk: string; sk: string } },
    ]
    return `${(Item ?? Key)?.pk} ${(Item ?? Key)?.sk}`
  }
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(Put, returned).map(([put, returned]) => plain('Put', { ...put, ...returned })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(Update, fc.constantFrom({}, { ReturnValues: 'ALL_NEW' as const }))
        .map(([update, returned]) => plain('Update', { ...update, ...returned })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(Delete, returned).map(([gone, returned]) => plain('Delete', { ...gone, ...returned })),
    },
    {
      weight: 2,
      arbitrary: fc
        .uniqueArray(part, { minLength: 1, maxLength: 4, selector: keyOf })
        .map((TransactItems) => plain('TransactWrite', { TransactItems })),
    },
    { weight: 4, arbitrary: reads(tableName) },
  )
}
