import type { TableName } from '@embed-access/core/storage/tables.ts'
import { describe, expect, inject, test } from 'vitest'
import { deployed } from '../../functions/operations/deployed.ts'
import { type Evaluation, ofType, type Resource } from './evaluate.ts'

const stages = { production: inject('production'), preview: inject('preview') }
const prefixes = { production: 'embed-access-production-', preview: 'embed-access-pr-7-' }

type Statement = {
  Effect: string
  Action: string[]
  Resource: string[]
  Condition?: Record<string, Record<string, string[]>>
}

const component = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

const statementsOf = (role: Resource): Statement[] =>
  role.inputs.inlinePolicies.flatMap(({ policy }: { policy: string }) => JSON.parse(policy).Statement)

/** `dynamodb:Query catalog/index/byFolder`, one line for each action on each resource, and its conditions. */
const allowedBy = (statements: readonly Statement[], tables: Readonly<Record<string, string>>): string[] =>
  statements.flatMap(({ Effect, Action, Resource, Condition }) => {
    expect(Effect).toBe('Allow')
    const condition = Condition ? ` if ${JSON.stringify(Condition)}` : ''
    return Action.flatMap((action) => Resource.map((resource) => `${action} ${short(resource, tables)}${condition}`))
  })

const ifPartitionsBeginWith = (prefixes: readonly string[]): string =>
  ` if ${JSON.stringify({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
    Null: { 'dynamodb:LeadingKeys': ['false'] },
  })}`

/** Of the table's items and through DynamoDB only. */
const decryptionOf = (table: string): string =>
  `kms:Decrypt arn:aws:kms:eu-central-1:123456789012:key/signing-keys if ${JSON.stringify({
    StringEquals: {
      'kms:ViaService': ['dynamodb.eu-central-1.amazonaws.com'],
      'kms:EncryptionContext:aws:dynamodb:tableName': [table],
    },
  })}`

function short(arn: string, tables: Readonly<Record<string, string>>): string {
  const path = arn.replace(/^arn:aws:(dynamodb|logs):eu-central-1:123456789012:(table\/|log-group:)/, '')
  const [table, physical] = Object.entries(tables).find(([, physical]) => path.startsWith(physical)) ?? []
  return table && physical ? path.replace(physical, table) : path
}

describe.each(Object.keys(deployed))('%s', (name) => {
  describe.each(Object.entries(stages))('in %s', (stage, evaluation: Evaluation) => {
    const physical = prefixes[stage as keyof typeof prefixes] + name
    const found = (type: string, suffix: string) => {
      const resource = ofType(evaluation, type).find((each) => each.name === component(name) + suffix)
      if (!resource) throw new Error(`no ${type} of ${name}`)
      return resource
    }
    const role = found('aws:iam/role:Role', 'Role')
    const { inputs } = found('aws:lambda/function:Function', 'Function')
    const tables: Record<TableName, string> = {
      catalog: evaluation.outputs.catalogTable as string,
      sessions: evaluation.outputs.sessionsTable as string,
      credentials: evaluation.outputs.credentialsTable as string,
      signingKeys: `embed-access-${stage === 'production' ? 'production' : 'pr-7'}-signing-keys`,
    }

    test('its role allows exactly what it needs of tables, partitions and indexes, and writing its own log', () => {
      const needed = (deployed[name]?.tables ?? []).flatMap(
        ({ table, reads = [], narrowReads = {}, writes = {}, indexes = [] }) => [
          ...reads.map((action) => `dynamodb:${action} ${table}`),
          ...Object.entries({ ...narrowReads, ...writes }).map(
            ([action, prefixes]) => `dynamodb:${action} ${table}${ifPartitionsBeginWith(prefixes)}`,
          ),
          ...indexes.map((index) => `dynamodb:Query ${table}/index/${index}`),
          ...(table === 'signingKeys' ? [decryptionOf(tables.signingKeys)] : []),
        ],
      )
      expect(allowedBy(statementsOf(role), tables).sort()).toEqual(
        [
          ...needed,
          `logs:CreateLogStream /aws/lambda/${physical}:*`,
          `logs:PutLogEvents /aws/lambda/${physical}:*`,
        ].sort(),
      )
      expect(role.inputs.managedPolicyArns).toEqual([])
    })

    test('its role can be assumed by Lambda and nobody else', () => {
      expect(JSON.parse(role.inputs.assumeRolePolicy)).toEqual({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      })
      expect(inputs.role).toContain(role.inputs.name)
    })

    test('runs on Node 24 and arm64, from a bundle, with its own memory and a time that is bounded', () => {
      expect(inputs).toMatchObject({
        name: physical,
        runtime: 'nodejs24.x',
        architectures: ['arm64'],
        packageType: 'Zip',
        handler: 'index.handler',
      })
      expect(inputs.memorySize).toBe(deployed[name]?.memory)
      expect(inputs.timeout).toBe(deployed[name]?.timeout)
      expect(inputs.timeout).toBeLessThan(30)
      expect(inputs.layers ?? []).toEqual([])
      expect(inputs.environment.variables.NODE_OPTIONS).toBeUndefined()
    })

    test('knows the names of its own tables and no others', () => {
      const variables = {
        CATALOG_TABLE: 'catalog',
        SESSIONS_TABLE: 'sessions',
        CREDENTIALS_TABLE: 'credentials',
        SIGNING_KEYS_TABLE: 'signingKeys',
      } as const
      const needed = new Set((deployed[name]?.tables ?? []).map(({ table }) => table))
      for (const [variable, table] of Object.entries(variables)) {
        expect(inputs.environment.variables[variable]).toBe(needed.has(table) ? tables[table] : undefined)
      }
      expect(inputs.environment.variables.ISSUER).toBe(evaluation.outputs.url)
    })

    test('only the exchange may read private keys', () => {
      const readsPrivate = allowedBy(statementsOf(role), tables).filter((line) => line.includes('private#'))
      expect(readsPrivate).toHaveLength(name === 'exchange-session' ? 1 : 0)
    })

    test('its log is kept for a set time', () => {
      const log = found('aws:cloudwatch/logGroup:LogGroup', 'Logs')
      expect(log.inputs).toMatchObject({
        name: `/aws/lambda/${physical}`,
        retentionInDays: stage === 'production' ? 90 : 7,
      })
      expect(inputs.loggingConfig.logGroup).toBe(log.inputs.name)
    })
  })
})

test.each(Object.entries(stages))('%s has no functions, roles or policies but these', (_, evaluation) => {
  const names = (suffix: string) => Object.keys(deployed).map((name) => component(name) + suffix)
  const found = (type: string) => ofType(evaluation, type).map(({ name }) => name)
  expect(found('aws:lambda/function:Function').sort()).toEqual(names('Function').sort())
  expect(found('aws:iam/role:Role').sort()).toEqual(names('Role').sort())
  expect(evaluation.resources.filter(({ type }) => /^aws:iam\/(?!role:)/.test(type))).toEqual([])
})

test.each(Object.entries(stages))('in %s no log is kept for ever', (_, evaluation) => {
  for (const { inputs } of ofType(evaluation, 'aws:cloudwatch/logGroup:LogGroup')) {
    expect(inputs.retentionInDays).toBeGreaterThan(0)
  }
})
