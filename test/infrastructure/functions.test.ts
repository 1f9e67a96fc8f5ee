import type { TableName } from '@embed-access/core/storage/tables.ts'
import { lambdas } from '../../functions/operations/lambdas.ts'
import {
  arn,
  component,
  describe,
  expect,
  isMonitored,
  isProduction,
  named,
  ofType,
  only,
  physicalStage,
  queueUrl,
  type StageName,
  sstName,
  stageNames,
  stages,
  test,
  urls,
} from './suite.ts'

const variables: Readonly<Record<TableName, string>> = {
  catalog: 'CATALOG_TABLE',
  sessions: 'SESSIONS_TABLE',
  credentials: 'CREDENTIALS_TABLE',
  signingKeys: 'SIGNING_KEYS_TABLE',
}

/** MB and seconds. */
const sizes: Readonly<Record<string, readonly [memory: number, timeout: number]>> = {
  authorizer: [512, 9],
  'list-embed-tenant-workbooks': [1024, 15],
  'catalog-sync': [1024, 25],
  'generate-session': [512, 15],
  'exchange-session': [512, 8],
  'revoke-session': [512, 15],
  'get-embed-session': [512, 15],
  'end-embed-session': [512, 15],
  'list-dbt-syncs': [1024, 15],
  'list-notifications': [1024, 15],
  'list-workbook-embed-access': [1024, 15],
  'get-key-set': [512, 8],
  'get-spec': [256, 5],
  'get-error-reference': [256, 5],
}

const logDays = (stage: StageName): number => (isProduction(stage) ? 365 : isMonitored(stage) ? 30 : 7)

const tablesOf = (stage: StageName): Record<TableName, string> => {
  const { catalogTable, sessionsTable, credentialsTable } = stages[stage].outputs as Record<string, string>
  return {
    catalog: catalogTable as string,
    sessions: sessionsTable as string,
    credentials: credentialsTable as string,
    signingKeys: `embed-access-${physicalStage[stage]}-signing-keys`,
  }
}

const tokensOf = (stage: StageName) =>
  stage === 'own'
    ? { AUDIENCE: 'https://audience.example', TOKEN_LIFETIME_SECONDS: '3600', MAX_TOKEN_BYTES: '4096' }
    : {}

type Statement = {
  Effect: string
  Action: string[]
  Resource: string[]
  Condition?: Record<string, Record<string, string[]>>
}

/** `dynamodb:Query catalog/index/byFolder`, one line for each action on each resource, and its conditions. */
const allowedBy = (statements: readonly Statement[]): string[] =>
  statements.flatMap(({ Effect, Action, Resource, Condition, ...others }) => {
    expect([Effect, others]).toEqual(['Allow', {}])
    const condition = Condition ? ` if ${JSON.stringify(Condition)}` : ''
    return Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}${condition}`))
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

const queuePermissions = (stage: StageName): string[] => {
  const queue = arn('sqs', `embed-access-${physicalStage[stage]}-catalog-changes`)
  return [
    ...['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'].map((action) => `sqs:${action} ${queue}`),
    `sqs:SendMessage ${queue}-dead`,
  ]
}

test('every function has its size here', () => {
  expect(Object.keys(sizes).sort()).toEqual(Object.keys(lambdas).sort())
})

describe.each(stageNames)('%s', (stage) => {
  const tables = tablesOf(stage)

  describe.each(Object.keys(lambdas))('%s', (name) => {
    const physical = `embed-access-${physicalStage[stage]}-${name}`
    const role = named(stage, 'aws:iam/role:Role', `${component(name)}Role`)
    const permissions = lambdas[name]?.tables ?? []

    test('its role is for Lambda, within the boundary, and allows exactly what it needs', () => {
      const needed = permissions.flatMap(({ table, reads = [], narrowReads = {}, writes = {}, indexes = [] }) => {
        const tableArn = arn('dynamodb', `table/${tables[table]}`)
        return [
          ...reads.map((action) => `dynamodb:${action} ${tableArn}`),
          ...Object.entries({ ...narrowReads, ...writes }).map(
            ([action, prefixes]) => `dynamodb:${action} ${tableArn}${ifPartitionsBeginWith(prefixes)}`,
          ),
          ...indexes.map((index) => `dynamodb:Query ${tableArn}/index/${index}`),
          ...(table === 'signingKeys' ? [decryptionOf(tables.signingKeys)] : []),
        ]
      })
      const { inlinePolicies, assumeRolePolicy, ...others } = role.inputs
      expect(inlinePolicies).toEqual([{ name: 'inline', policy: expect.any(String) }])
      const { Version, Statement, ...more } = JSON.parse(inlinePolicies[0].policy)
      expect([Version, more]).toEqual(['2012-10-17', {}])
      expect(allowedBy(Statement).sort()).toEqual(
        [
          ...needed,
          ...(name === 'catalog-sync' ? queuePermissions(stage) : []),
          `logs:CreateLogStream ${arn('logs', `log-group:/aws/lambda/${physical}:*`)}`,
          `logs:PutLogEvents ${arn('logs', `log-group:/aws/lambda/${physical}:*`)}`,
        ].sort(),
      )
      expect(JSON.parse(assumeRolePolicy)).toEqual({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
      })
      const environment = { production: 'production', own: 'production', staging: 'staging', preview: 'pr' }[stage]
      expect(others).toEqual({
        name: sstName(stage, `${component(name)}Role`),
        managedPolicyArns: [],
        permissionsBoundary: `arn:aws:iam::123456789012:policy/embed-access-${environment}-boundary-eu-central-1`,
      })
    })

    test('only the exchange may read private keys', () => {
      expect(role.inputs.inlinePolicies[0].policy.includes('private#')).toBe(name === 'exchange-session')
    })

    test('is Node 24 on arm64, with its own role, memory, time, log and tables', () => {
      const { inputs } = named(stage, 'aws:lambda/function:Function', `${component(name)}Function`)
      const { environment, role: roleArn, ...others } = inputs
      expect(roleArn).toBe(`arn:aws:iam:eu-central-1:123456789012:${role.inputs.name}`)
      const isProvisioned = stage === 'own' && ['authorizer', 'exchange-session'].includes(name)
      const [memorySize, timeout] = sizes[name] ?? []
      const code = named(stage, 'aws:s3/bucketObjectv2:BucketObjectv2', `${component(name)}Code`)
      expect(others).toEqual({
        name: physical,
        description: '',
        runtime: 'nodejs24.x',
        architectures: ['arm64'],
        packageType: 'Zip',
        handler: 'index.handler',
        memorySize,
        timeout,
        publish: isProvisioned,
        ephemeralStorage: { size: 512 },
        loggingConfig: { logFormat: 'Text', logGroup: `/aws/lambda/${physical}` },
        s3Bucket: code.inputs.bucket,
        s3Key: code.inputs.key,
      })
      expect(code.inputs.bucket).toBe('sst-asset')
      expect(code.inputs.key).toMatch(new RegExp(`^assets/${component(name)}-code-[0-9a-f]{64}\\.zip$`))
      // SST's own way to hand links on, of which there are none.
      const { SST_KEY, ...ours } = environment.variables
      expect(SST_KEY).toEqual(expect.any(String))
      expect(Object.keys(environment)).toEqual(['variables'])
      expect(ours).toEqual({
        SST_KEY_FILE: 'resource.enc',
        SST_RESOURCE_App: JSON.stringify({ name: 'embed-access', stage: physicalStage[stage] }),
        ISSUER: urls[stage],
        ...tokensOf(stage),
        ...(isMonitored(stage) && { METRICS: 'true' }),
        ...(name === 'catalog-sync' && { DEAD_LETTERS_URL: queueUrl(stage, 'catalog-changes-dead') }),
        ...Object.fromEntries(permissions.map(({ table }) => [variables[table], tables[table]])),
      })
    })

    test('has instances that wait where the setting asks for them, of the version that is called', () => {
      const provisioned = ofType(stage, 'aws:lambda/provisionedConcurrencyConfig:ProvisionedConcurrencyConfig')
      expect(provisioned.filter(({ inputs }) => inputs.functionName === physical).map(({ inputs }) => inputs)).toEqual(
        stage === 'own' && ['authorizer', 'exchange-session'].includes(name)
          ? [{ functionName: physical, qualifier: '7', provisionedConcurrentExecutions: 5 }]
          : [],
      )
    })

    test('the lines of its audit go where the setting says', () => {
      const filters = ofType(stage, 'aws:cloudwatch/logSubscriptionFilter:LogSubscriptionFilter')
      expect(filters.filter(({ name: of }) => of === `${component(name)}Audit`).map(({ inputs }) => inputs)).toEqual(
        stage === 'own'
          ? [
              {
                logGroup: `/aws/lambda/${physical}`,
                filterPattern: '{ $.event = "*" }',
                destinationArn: 'arn:aws:logs:eu-central-1:210987654321:destination:audit',
              },
            ]
          : [],
      )
    })

    test('its log is kept for a set time', () => {
      expect(named(stage, 'aws:cloudwatch/logGroup:LogGroup', `${component(name)}Logs`).inputs).toEqual({
        name: `/aws/lambda/${physical}`,
        retentionInDays: logDays(stage),
      })
    })
  })

  test('has no functions, roles, policies or logs but these and the access log', () => {
    const all = (suffix: string) => Object.keys(lambdas).map((name) => component(name) + suffix)
    const found = (type: string) => ofType(stage, type).map(({ name }) => name)
    expect(found('aws:lambda/function:Function').sort()).toEqual(all('Function').sort())
    expect(found('aws:iam/role:Role').sort()).toEqual(all('Role').sort())
    expect(found('aws:cloudwatch/logGroup:LogGroup').sort()).toEqual([...all('Logs'), 'ApiAccessLog'].sort())
    expect(found('aws:s3/bucketObjectv2:BucketObjectv2').sort()).toEqual(all('Code').sort())
    expect(stages[stage].resources.filter(({ type }) => /^aws:iam\/(?!role:)/.test(type))).toEqual([])
  })

  test('tells what a deployment has to know afterwards', () => {
    expect(stages[stage].outputs).toMatchObject({
      url: urls[stage],
      catalogTable: sstName(stage, 'CatalogTable'),
      sessionsTable: sstName(stage, 'SessionsTable'),
      credentialsTable: sstName(stage, 'CredentialsTable'),
    })
    expect(only(stage, 'aws:apigatewayv2/api:Api').name).toBe('ApiApi')
  })
})
