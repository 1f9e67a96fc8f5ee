import type { TableName } from '@embed-access/core/storage/tables.ts'
import { expect } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import type { FunctionRecord } from '../../functions/operations/record.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { ownSettings } from './stages.ts'
import { arn, component, type Inputs, type Stage, testStages } from './suite.ts'

const names = Object.keys(lambdas)
const events = { Service: 'events.amazonaws.com' }
const onCall = ownSettings.ALARM_TOPICS.split(', ')

/** One for each function, such as `{ AuthorizerLogs: … }`. */
const ofEach = (suffix: string, one: (name: string) => unknown, of = names) =>
  Object.fromEntries(of.map((name) => [component(name) + suffix, one(name)]))

const tableName = ({ sstName, prefix }: Stage, table: TableName): string =>
  table === 'signingKeys' ? `${prefix}signing-keys` : sstName(`${component(table)}Table`)

testStages(
  'functions are Node 24 on arm64, each with its own role, log, code and tables',
  (stage) => {
    const code = stage.made('s3:BucketObjectv2')
    expect(stage.made('lambda:Function')).toEqual(
      ofEach('Function', (name) =>
        expect.objectContaining({
          name: stage.prefix + name,
          runtime: 'nodejs24.x',
          architectures: ['arm64'],
          handler: 'index.handler',
          memorySize: lambdas[name]?.memory,
          timeout: lambdas[name]?.timeout,
          publish: stage.isProvisioned(name),
          ...(stage.isProvisioned(name) && { reservedConcurrentExecutions: 50 }),
          loggingConfig: {
            logFormat: 'JSON',
            logGroup: `/aws/lambda/${stage.prefix}${name}`,
            applicationLogLevel: 'INFO',
            systemLogLevel: 'WARN',
          },
          s3Key: code[`${component(name)}Code`]?.key,
          role: arn('iam', `role/${stage.sstName(`${component(name)}Role`)}`, ''),
          environment: { variables: environmentOf(name, stage) },
        }),
      ),
    )
  },
)

testStages('API Gateway waits 30 seconds for functions, and 10 for the authorizer', ({ made }) => {
  // Lambda calls the function of the queue, which no request waits for.
  const { AuthorizerFunction, CatalogSyncFunction, ...others } = made('lambda:Function')
  expect(AuthorizerFunction?.timeout).toBeLessThan(10)
  for (const { timeout } of Object.values(others)) expect(timeout).toBeLessThan(30)
})

const environmentOf = (name: string, stage: Stage) => ({
  // SST hands links on by these. There are none.
  SST_KEY: Buffer.alloc(32).toString('base64'),
  SST_KEY_FILE: 'resource.enc',
  SST_RESOURCE_App: { name: 'embed-access', stage: stage.physical },
  ISSUER: stage.url,
  ...(stage.isOwn && {
    AUDIENCE: 'https://audience.example',
    TOKEN_LIFETIME_SECONDS: '3600',
    MAX_TOKEN_BYTES: '4096',
  }),
  ...(stage.isMonitored && { METRICS: 'true' }),
  ...(name === 'catalog-sync' && {
    DEAD_LETTERS_URL: `https://sqs.eu-central-1.amazonaws.com/123456789012/${stage.prefix}catalog-changes-dead`,
  }),
  ...Object.fromEntries(
    lambdas[name]?.tables.map(({ table }) => [tableVariables[table], tableName(stage, table)]) ??
      [],
  ),
})

testStages(
  'instances wait where the setting asks for them, of the version that is called',
  (stage) => {
    expect(stage.made('lambda:ProvisionedConcurrencyConfig')).toEqual(
      ofEach(
        'Provisioned',
        (name) => ({
          functionName: stage.prefix + name,
          qualifier: '7',
          provisionedConcurrentExecutions: 5,
        }),
        names.filter(stage.isProvisioned),
      ),
    )
  },
)

testStages(
  'logs are kept for a set time, and the setting says where lines of the audit go',
  (stage) => {
    const logOf = (name: string) => `/aws/lambda/${stage.prefix}${name}`
    const { ApiAccessLog: _, ...logs } = stage.made('cloudwatch:LogGroup')
    const retentionInDays = stage.isProduction ? 365 : stage.isMonitored ? 30 : 7
    expect(logs).toEqual(ofEach('Logs', (name) => ({ name: logOf(name), retentionInDays })))
    const destinationArn = 'arn:aws:logs:eu-central-1:210987654321:destination:audit'
    const filterPattern = '{ $.event = "*" }'
    const audit = ofEach('Audit', (name) => ({
      logGroup: logOf(name),
      filterPattern,
      destinationArn,
    }))
    expect(stage.made('cloudwatch:LogSubscriptionFilter')).toEqual(stage.isOwn ? audit : {})
  },
)

testStages(
  'every role is for Lambda, within the boundary, and allows exactly what it needs',
  (stage) => {
    const environment = stage.name === 'preview' ? 'pr' : stage.physical
    const trusted = {
      Effect: 'Allow',
      Principal: { Service: 'lambda.amazonaws.com' },
      Action: 'sts:AssumeRole',
    }
    const { EventsRole, ...roles } = stage.made('iam:Role')
    expect(Object.keys(roles)).toHaveLength(names.length)
    // Only a topic of another account needs it.
    const publish = { Effect: 'Allow', Action: 'sns:Publish', Resource: onCall.slice(0, 1) }
    const [trusting, policy] = [{ ...trusted, Principal: events }, [publish]].map((each) => ({
      Version: '2012-10-17',
      Statement: [each].flat(),
    }))
    expect(EventsRole).toEqual(
      stage.isOwn
        ? {
            name: `${stage.prefix}events-eu-central-1`,
            assumeRolePolicy: trusting,
            permissionsBoundary: expect.stringMatching(/-boundary-eu-central-1$/),
            inlinePolicies: [{ name: 'publish', policy }],
          }
        : undefined,
    )
    for (const name of names) {
      const { inlinePolicies, ...role } = roles[`${component(name)}Role`] ?? {}
      expect(role, name).toEqual({
        name: stage.sstName(`${component(name)}Role`),
        managedPolicyArns: [],
        permissionsBoundary: arn(
          'iam',
          `policy/embed-access-${environment}-boundary-eu-central-1`,
          '',
        ),
        assumeRolePolicy: { Version: '2012-10-17', Statement: [trusted] },
      })
      const [{ policy }, ...more] = inlinePolicies
      expect(more, name).toEqual([])
      expect(policy.Statement.flatMap(lines).sort(), name).toEqual(neededBy(name, stage).sort())
    }
    expect(stage.resources.filter(({ type }) => /^aws:iam\/(?!role:)/.test(type))).toEqual([])
  },
)

testStages('only what signs may read private keys', ({ made }) => {
  const readers = Object.entries(made('iam:Role')).filter(([, inputs]) =>
    JSON.stringify(inputs).includes('private#'),
  )
  expect(readers.map(([name]) => name).sort()).toEqual([
    'ExchangeSessionRole',
    'GetEmbedRevocationsRole',
  ])
})

/**
 * A line for each action on each resource: `Allow dynamodb:Query arn:…/index/byFolder`, and the
 * conditions.
 */
const lines = ({ Effect, Action, Resource, Condition = {} }: Inputs): string[] => {
  const only = Object.entries<Inputs>(Condition).flatMap(([test, of]) =>
    Object.entries(of).map(([variable, values]) => ` ${test} ${variable} ${values}`),
  )
  return Action.flatMap((action: string) =>
    Resource.map((arn: string) => `${Effect} ${action} ${arn}${only.join('')}`),
  )
}

function neededBy(name: string, stage: Stage): string[] {
  const { tables, queue } = lambdas[name] as FunctionRecord
  const allow = (service: string, actions: readonly string[], resource: string, only = '') =>
    actions.map((action) => `Allow ${service}:${action} ${resource}${only}`)
  const ofTables = tables.flatMap(({ table, reads = [], narrowReads, writes, indexes = [] }) => {
    const name = tableName(stage, table)
    const onTable = arn('dynamodb', `table/${name}`)
    const keyed = (prefixes: readonly string[]) => {
      const values = prefixes.map((prefix) => `${prefix}*`)
      return (
        ` ForAllValues:StringLike dynamodb:LeadingKeys ${values} Null dynamodb:LeadingKeys ` +
        'false'
      )
    }
    // The encryption key may be used for the table's items and through DynamoDB only.
    const throughTable =
      ' StringEquals kms:ViaService dynamodb.eu-central-1.amazonaws.com' +
      ` StringEquals kms:EncryptionContext:aws:dynamodb:tableName ${name}`
    return [
      ...allow('dynamodb', reads, onTable),
      ...Object.entries({ ...narrowReads, ...writes }).flatMap(([action, prefixes]) =>
        allow('dynamodb', [action], onTable, keyed(prefixes)),
      ),
      ...indexes.flatMap((index) => allow('dynamodb', ['Query'], `${onTable}/index/${index}`)),
      ...(table === 'signingKeys'
        ? allow('kms', ['Decrypt'], arn('kms', 'key/signing-keys'), throughTable)
        : []),
    ]
  })
  const changes = arn('sqs', `${stage.prefix}catalog-changes`)
  const ofQueues = [
    ...allow('sqs', ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'], changes),
    ...allow('sqs', ['SendMessage'], `${changes}-dead`),
  ]
  const log = arn('logs', `log-group:/aws/lambda/${stage.prefix}${name}:*`)
  return [
    ...ofTables,
    ...(queue ? ofQueues : []),
    ...allow('logs', ['CreateLogStream', 'PutLogEvents'], log),
  ]
}

testStages(
  'a deployment tells what has to be known afterwards',
  ({ outputs, url, prefix, sstName }) => {
    expect(outputs).toEqual({
      _protect: expect.any(Boolean),
      url,
      catalogTable: sstName('CatalogTable'),
      sessionsTable: sstName('SessionsTable'),
      credentialsTable: sstName('CredentialsTable'),
      catalogQueue: `https://sqs.eu-central-1.amazonaws.com/123456789012/${prefix}catalog-changes`,
    })
  },
)
