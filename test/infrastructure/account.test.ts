import { describe, expect, test } from 'vitest'
import { boundaryName, environmentOf, keyAlias, keyTableName } from '../../stacks/names.ts'
import {
  allowing,
  deployStatements,
  type Environment,
  type Given,
  matches,
  resourcesOf,
  type Statement,
  statementsIn,
} from './account-template.ts'
import { arn, evaluated, type Inputs, type StageName, shortType, stageOf } from './suite.ts'

/** Each environment, one of its stages, and how the tests of stages call that. */
const environments: readonly (readonly [Environment, stage: string, StageName])[] = [
  ['production', 'production', 'production'],
  ['staging', 'staging', 'staging'],
  ['pr', 'pr-7', 'preview'],
]

const everything: Given = {
  PlanSubjects: 'repo:org/repo:environment:plan-production',
  KeySubjects: 'repo:org/repo:environment:keys-production',
  KeyHolders: arn('iam', 'user/ada', ''),
  HostedZone: 'Z1',
  Edge: 'on',
  BackupVault: 'arn:aws:backup:eu-central-1:999999999999:backup-vault:copies',
}

type Wanted = readonly [action: string, resource: string]

const conditionsOf = (statements: readonly Statement[], ...[action, resource]: Wanted) =>
  allowing(statements, action, resource).map(({ Condition }) => Condition)

/** Which of the actions the statements allow on the resources. */
const allowed = (statements: readonly Statement[], wanted: readonly Wanted[]): Wanted[] =>
  wanted.filter(([action, resource]) => allowing(statements, action, resource).length > 0)

const every = (actions: readonly string[], resources: readonly string[]): Wanted[] =>
  actions.flatMap((action) => resources.map((resource) => [action, resource] as const))

test('names of roles and policies end with the region', () => {
  const names = Object.values(resourcesOf('staging', everything)).flatMap(
    ({ Properties: { RoleName = [], ManagedPolicyName = [] } }) =>
      [RoleName, ManagedPolicyName].flat(),
  )
  expect(names).toHaveLength(8)
  for (const name of names) expect(name).toMatch(/^embed-access-.*-eu-central-1$/)
})

test.each(environments)(
  '%s: names are those that deployment and commands use',
  (environment, stage) => {
    const { SigningKeysAlias, Boundary } = resourcesOf(environment)
    expect(environmentOf(stage)).toBe(environment)
    expect(SigningKeysAlias.Properties.AliasName).toBe(keyAlias(stage))
    expect(Boundary.Properties.ManagedPolicyName).toBe(boundaryName(stage, 'eu-central-1'))
  },
)

test.each(environments)('%s: every policy is within what AWS takes', (environment) => {
  for (const { Type, Properties } of Object.values(resourcesOf(environment, everything))) {
    const { PolicyDocument = {}, Policies = [] } = Properties
    if (Type === 'AWS::IAM::ManagedPolicy')
      expect(JSON.stringify(PolicyDocument).length).toBeLessThan(6144)
    if (Type === 'AWS::IAM::Role') expect(JSON.stringify(Policies).length).toBeLessThan(10_240)
  }
})

test('the key of the signing keys rotates itself and outlives the stack', () => {
  expect(resourcesOf('production').SigningKeysKey).toMatchObject({
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 },
  })
})

describe.each(environments)('%s', (environment, stage, evaluatedStage) => {
  const boundary = statementsIn(resourcesOf(environment), 'Boundary')
  const deploy = deployStatements(environment)
  const role = arn('iam', `role/embed-access-${stage}-AuthorizerRole-abc`, '')
  const others = environments.map(([, other]) => other).filter((other) => other !== stage)
  const tableOf = (of: string) => arn('dynamodb', `table/embed-access-${of}-CatalogTable-abc`)

  test('the boundary lets every function do what its role allows', () => {
    const roles = Object.values(stageOf(evaluatedStage).made('iam:Role'))
    expect(roles.length).toBeGreaterThan(5)
    const needed: Wanted[] = roles.flatMap(({ inlinePolicies }) =>
      inlinePolicies[0].policy.statements.flatMap(({ actions, resources }: Inputs) =>
        // The mock's key is another one than the template's.
        every(actions, actions.includes('kms:Decrypt') ? ['SigningKeysKey.Arn'] : resources),
      ),
    )
    expect(allowed(boundary, needed)).toEqual(needed)
  })

  test('the boundary lets no role manage anything, or reach another environment', () => {
    const keysOfOthers = others.map((other) => arn('dynamodb', `table/${keyTableName(other)}`))
    const never: Wanted[] = [
      ['iam:CreateRole', role],
      ...every(['dynamodb:DeleteTable', 'dynamodb:Scan'], [tableOf(stage)]),
      ['lambda:InvokeFunction', arn('lambda', `function:embed-access-${stage}-authorizer`)],
      ['s3:GetObject', 'arn:aws:s3:::sst-state-abc/app/embed-access/production.json'],
      ...every(['dynamodb:GetItem'], keysOfOthers),
    ]
    expect(allowed(boundary, never)).toEqual([])
  })

  test('only jobs of its own environment deploy it', () => {
    const { RoleName, AssumeRolePolicyDocument } = resourcesOf(environment).DeployRole.Properties
    expect(RoleName).toBe(`embed-access-deploy-${environment}-eu-central-1`)
    const subject = `repo:org/repo:environment:${environment}`
    expect(AssumeRolePolicyDocument.Statement).toEqual([trustOfJobs(subject)])
  })

  test('the deploying role makes no role without the boundary; Lambda alone gets roles', () => {
    for (const action of [
      'CreateRole',
      'PutRolePolicy',
      'DeleteRolePolicy',
      'PutRolePermissionsBoundary',
    ]) {
      const bounded = { StringEquals: { 'iam:PermissionsBoundary': 'Boundary' } }
      expect(conditionsOf(deploy, `iam:${action}`, role)).toEqual([bounded])
    }
    const toLambda = { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } }
    expect(conditionsOf(deploy, 'iam:PassRole', role)).toEqual([toLambda])
    const never = [
      'DeleteRolePermissionsBoundary',
      'AttachRolePolicy',
      'CreatePolicyVersion',
      'SetDefaultPolicyVersion',
    ]
    const policy = arn('iam', `policy/${boundaryName(stage, 'eu-central-1')}`, '')
    const neverAllowed = [
      ...never.map((action) => `iam:${action}`),
      'iam:CreateUser',
      'sts:AssumeRole',
    ]
    expect(allowed(deploy, every(neverAllowed, [role, policy]))).toEqual([])
    const own = ['deploy', 'operate'].map(
      (name) => `role/embed-access-${name}-${environment}-eu-central-1`,
    )
    const ofOwn = every(
      ['iam:UpdateAssumeRolePolicy', 'iam:PutRolePolicy'],
      own.map((name) => arn('iam', name, '')),
    )
    expect(allowed(deploy, ofOwn)).toEqual([])
  })

  test('in production the deploying role has no items but the public signing keys', () => {
    const items = every([...itemActions, 'dynamodb:BatchWriteItem'], [tableOf(stage)])
    const demo = items.filter(([action]) => !/Scan|BatchWrite/.test(action))
    expect(allowed(deploy, items)).toEqual(environment === 'production' ? [] : demo)
    if (environment !== 'production') return
    const toWrite = every(
      ['dynamodb:DeleteTable', 'dynamodb:PutItem'],
      [tableOf(stage), signingKeys],
    )
    expect(allowed(deploy, toWrite)).toEqual([])
    expect(conditionsOf(deploy, 'dynamodb:GetItem', signingKeys)).toEqual([ofPublicKeys])
  })

  test('the deploying role has resources, state and parameters of its own stages alone', () => {
    const reached = (of: string): Wanted[] => [
      ['lambda:UpdateFunctionCode', arn('lambda', `function:embed-access-${of}-authorizer`)],
      ['dynamodb:UpdateTable', tableOf(of)],
      ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/lambda/embed-access-${of}-authorizer`)],
      ['cloudwatch:DeleteAlarms', arn('cloudwatch', `alarm:embed-access-${of}-Heartbeat`)],
      ['sns:DeleteTopic', arn('sns', `embed-access-${of}-alarms`)],
      ['iam:DeleteRole', arn('iam', `role/embed-access-${of}-AuthorizerRole-abc`, '')],
      ...every(
        ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
        ['app', 'lock', 'secret', 'snapshot'].flatMap((kind) =>
          [`${of}.json`, `${of}/8f3a.json`].map(
            (file) => `arn:aws:s3:::sst-state-abc/${kind}/embed-access/${file}`,
          ),
        ),
      ),
      ...every(
        ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'],
        [arn('ssm', `parameter/sst/passphrase/embed-access/${of}`)],
      ),
    ]
    expect(allowed(deploy, reached(stage))).toEqual(reached(stage))
    expect(allowed(deploy, others.flatMap(reached))).toEqual([])
  })

  test('a preview makes nothing that all stages of the region share', () => {
    const shared: Wanted[] = [
      ['ssm:PutParameter', arn('ssm', 'parameter/sst/bootstrap')],
      ['s3:CreateBucket', 'arn:aws:s3:::sst-state-abc'],
      ['s3:PutBucketPolicy', 'arn:aws:s3:::sst-state-abc'],
    ]
    expect(allowed(deploy, shared)).toEqual(environment === 'pr' ? [] : shared)
  })

  test('one statement is for all resources, and one for all mappings to own functions', () => {
    const ofAll = deploy
      .filter(({ Resource }) => Resource.includes('*'))
      .map(({ Condition }) => Condition)
    const ownFunctions = {
      'lambda:FunctionArn': arn('lambda', `function:embed-access-${environment}-*`),
    }
    expect(ofAll).toEqual([{ ArnLike: ownFunctions }, undefined])
  })

  test('the deploying role makes every type of resource that the deployment has', () => {
    const statements = deployStatements(environment, { HostedZone: 'Z1' })
    const types = [
      ...typesOf(evaluatedStage),
      ...(environment === 'production' ? typesOf('own') : []),
    ]
    const missing = types.filter((type) => {
      const [action, resource = ''] = making[type] ?? ['']
      return allowing(statements, action, resource.replace('STAGE', stage)).length === 0
    })
    expect(
      missing,
      'Give the role in stacks/account.yml what makes these, and say it in the table below.',
    ).toEqual([])
  })
})

const trustOfJobs = (subject: string) => ({
  Effect: 'Allow',
  Principal: { Federated: arn('iam', 'oidc-provider/token.actions.githubusercontent.com', '') },
  Action: 'sts:AssumeRoleWithWebIdentity',
  Condition: {
    StringEquals: {
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': subject,
    },
  },
})

const typesOf = (stage: StageName): Set<string> =>
  new Set(
    evaluated[stage].resources.flatMap(({ type }) =>
      type.startsWith('aws:') ? shortType(type) : [],
    ),
  )

test('the deploying role makes an edge, and any part of it, only if that is asked for', () => {
  const ofEdge = [...typesOf('edge')].filter((type) => !typesOf('production').has(type))
  expect(ofEdge).toHaveLength(4)
  const certificate: Wanted = ['acm:RequestCertificate', arn('acm', 'certificate/1', 'us-east-1')]
  const wanted = [...ofEdge.map((type) => making[type] as Wanted), certificate]
  expect(allowed(deployStatements('production', { HostedZone: 'Z1', Edge: 'on' }), wanted)).toEqual(
    wanted,
  )
  expect(allowed(deployStatements('production', { HostedZone: 'Z1' }), wanted)).toEqual([])
})

const ofApi: Wanted = ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/apis']
const ofDomain: Wanted = ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/domainnames']
const log = arn('logs', 'log-group:/aws/lambda/embed-access-STAGE-x')
const lambda = arn('lambda', 'function:embed-access-STAGE-x')
const table = arn('dynamodb', 'table/embed-access-STAGE-x')
const topic = arn('sns', 'embed-access-STAGE-x')
const queue = arn('sqs', 'embed-access-STAGE-x')
const insightRule = arn('cloudwatch', 'insight-rule/embed-access-STAGE-x')

/** What makes a resource of each type. */
const making: Readonly<Record<string, Wanted>> = {
  'acm:Certificate': ['acm:RequestCertificate', arn('acm', 'certificate/1')],
  'acm:CertificateValidation': ['acm:DescribeCertificate', arn('acm', 'certificate/1')],
  'apigatewayv2:Api': ofApi,
  'apigatewayv2:ApiMapping': ofDomain,
  'apigatewayv2:Authorizer': ofApi,
  'apigatewayv2:DomainName': ofDomain,
  'apigatewayv2:Integration': ofApi,
  'apigatewayv2:Route': ofApi,
  'apigatewayv2:Stage': ofApi,
  'budgets:Budget': ['budgets:ModifyBudget', arn('budgets', 'budget/embed-access-STAGE', '')],
  'cloudfront:CachePolicy': [
    'cloudfront:CreateCachePolicy',
    arn('cloudfront', 'cache-policy/1', ''),
  ],
  'cloudfront:Distribution': [
    'cloudfront:CreateDistribution',
    arn('cloudfront', 'distribution/1', ''),
  ],
  'cloudfront:Function': [
    'cloudfront:CreateFunction',
    arn('cloudfront', 'function/embed-access-production-edge', ''),
  ],
  // AWS takes no narrower permission:
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
  'cloudwatch:CompositeAlarm': ['cloudwatch:PutCompositeAlarm', '*'],
  'cloudwatch:ContributorInsightRule': ['cloudwatch:PutInsightRule', insightRule],
  'cloudwatch:Dashboard': [
    'cloudwatch:PutDashboard',
    arn('cloudwatch', 'dashboard/embed-access-STAGE-x', ''),
  ],
  'cloudwatch:EventRule': ['events:PutRule', arn('events', 'rule/embed-access-STAGE-x')],
  'cloudwatch:EventTarget': [
    'events:PutTargets',
    arn('events', 'rule/platform/embed-access-STAGE-x'),
  ],
  'cloudwatch:LogGroup': ['logs:CreateLogGroup', log],
  'cloudwatch:LogMetricFilter': ['logs:PutMetricFilter', log],
  'cloudwatch:LogSubscriptionFilter': [
    'logs:PutSubscriptionFilter',
    arn('logs', 'destination:archive'),
  ],
  'cloudwatch:MetricAlarm': [
    'cloudwatch:PutMetricAlarm',
    arn('cloudwatch', 'alarm:embed-access-STAGE-x'),
  ],
  'dynamodb:ContributorInsights': ['dynamodb:UpdateContributorInsights', table],
  'dynamodb:Table': ['dynamodb:CreateTable', table],
  'iam:Role': ['iam:CreateRole', arn('iam', 'role/embed-access-STAGE-x', '')],
  'lambda:EventSourceMapping': ['lambda:CreateEventSourceMapping', '*'],
  'lambda:Function': ['lambda:CreateFunction', lambda],
  'lambda:ProvisionedConcurrencyConfig': ['lambda:PutProvisionedConcurrencyConfig', lambda],
  'lambda:Permission': ['lambda:AddPermission', lambda],
  'route53:HealthCheck': ['route53:CreateHealthCheck', 'arn:aws:route53:::healthcheck/1'],
  'route53:Record': ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/Z1'],
  's3:BucketObjectv2': ['s3:PutObject', 'arn:aws:s3:::sst-asset-1/assets/x.zip'],
  'sns:Topic': ['sns:CreateTopic', topic],
  'sns:TopicPolicy': ['sns:SetTopicAttributes', topic],
  'sns:TopicSubscription': ['sns:Subscribe', topic],
  'sqs:Queue': ['sqs:CreateQueue', queue],
  'sqs:QueuePolicy': ['sqs:SetQueueAttributes', queue],
  'sqs:RedriveAllowPolicy': ['sqs:SetQueueAttributes', queue],
  'wafv2:WebAcl': [
    'wafv2:CreateWebACL',
    arn('wafv2', 'global/webacl/embed-access-production-edge/1', 'us-east-1'),
  ],
}

test('zone and certificate are those that are named', () => {
  const zones = ['Z1', 'OTHER'].map((id) => `arn:aws:route53:::hostedzone/${id}`)
  const records = every(['route53:ChangeResourceRecordSets'], zones)
  expect(allowed(deployStatements('production'), records)).toEqual([])
  const withZone = deployStatements('production', { HostedZone: 'Z1' })
  expect(allowed(withZone, records)).toEqual(records.slice(0, 1))
  expect(allowed(withZone, [making['acm:Certificate'] as Wanted])).toHaveLength(1)
  const own = arn('acm', 'certificate/own')
  const certificates = every(
    ['acm:DescribeCertificate', 'acm:RequestCertificate'],
    [own, `${own}2`],
  )
  const withCertificate = deployStatements('production', { Certificate: own })
  expect(allowed(withCertificate, certificates)).toEqual([['acm:DescribeCertificate', own]])
})

test('a domain of one’s own needs API Gateway’s own role, and no other service’s', () => {
  const conditionOf = (service: string) => {
    const role = arn('iam', `role/aws-service-role/${service}/AWSServiceRoleFor`, '')
    return conditionsOf(deployStatements('production'), 'iam:CreateServiceLinkedRole', role)
  }
  const ofGateway = { StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' } }
  expect(conditionOf('ops.apigateway.amazonaws.com')).toEqual([ofGateway])
  expect(conditionOf('ec2.amazonaws.com')).toEqual([])
})

const itemActions = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'Scan',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
].map((action) => `dynamodb:${action}`)
const signingKeys = arn('dynamodb', `table/${keyTableName('production')}`)
const ofPublicKeys = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['public#*'] },
  Null: { 'dynamodb:LeadingKeys': 'false' },
}
const madeTables = Object.values(stageOf('production').made('dynamodb:Table')).map(({ name }) =>
  arn('dynamodb', `table/${name}`),
)
const production = resourcesOf('production', everything)

test.each(['PlanRole', 'KeyRole', 'RotateRole', 'BackupPlan', 'RestoreTest'])(
  '%s is there only if it is asked for',
  (name) => {
    expect(Object.keys(production)).toContain(name)
    expect(Object.keys(resourcesOf('production'))).not.toContain(name)
  },
)

test('the job that rotates keys may do that alone', () => {
  const { Statement } = production.RotateRole.Properties.AssumeRolePolicyDocument
  expect(Statement).toEqual([trustOfJobs('repo:org/repo:environment:keys-production')])
  expect(
    statementsIn(production, 'RotateRole').map(({ Action, Resource }) => [Action, Resource]),
  ).toEqual([
    [['dynamodb:GetItem', 'dynamodb:PutItem'], [signingKeys]],
    [['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*'], ['SigningKeysKey.Arn']],
  ])
})

test('who imports a catalog reaches every table but that of the signing keys', () => {
  const operator = statementsIn(production, 'OperatorRole')
  const ofTables = every(itemActions, madeTables)
  expect(allowed(operator, [...ofTables, ...every(itemActions, [signingKeys])])).toEqual(ofTables)
  expect(allowing(operator, 'kms:Decrypt', 'SigningKeysKey.Arn')).toEqual([])
})

test('only named people, with a second factor, make and rotate signing keys', () => {
  expect(production.KeyRole.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Effect: 'Allow',
      Principal: { AWS: arn('iam', 'user/ada', '') },
      Action: 'sts:AssumeRole',
      Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
    },
  ])
  const actions = ['CreateTable', 'GetItem', 'PutItem'].map((action) => `dynamodb:${action}`)
  const wanted = every(actions, [signingKeys, ...madeTables])
  expect(allowed(statementsIn(production, 'KeyRole'), wanted)).toEqual(
    every(actions, [signingKeys]),
  )
})

test('the job that shows a plan changes nothing, and of items reads only public keys', () => {
  const resources = resourcesOf('production', { ...everything, Certificate: 'arn:aws:acm:own' })
  const statements = statementsIn(resources, 'PlanRole')
  const actions = statements.flatMap(({ Action }) => Action)
  expect(actions.filter((action) => !/:(Get|List|Describe)[A-Za-z]+$/.test(action))).toEqual([
    'kms:Decrypt',
  ])
  expect(allowed(statements, every(itemActions, madeTables))).toEqual([])
  expect(conditionsOf(statements, 'dynamodb:GetItem', signingKeys)).toEqual([ofPublicKeys])
})

test('copies in another account are made of every table, daily, if a vault is named', () => {
  const [rule, ...more] = production.BackupPlan.Properties.BackupPlan.BackupPlanRule
  expect(more).toEqual([])
  const { DestinationBackupVaultArn, Lifecycle } = rule.CopyActions[0]
  expect([rule.ScheduleExpression, DestinationBackupVaultArn]).toEqual([
    'cron(0 3 * * ? *)',
    everything.BackupVault,
  ])
  expect(Lifecycle.DeleteAfterDays).toBeGreaterThan(rule.Lifecycle.DeleteAfterDays)
  const [pattern] = production.BackedUpTables.Properties.BackupSelection.Resources
  expect([...madeTables, signingKeys].filter((table) => !matches(pattern, table))).toEqual([])
})

test('every month the newest backup of each table but the signing keys is restored', () => {
  expect(production.RestoreTest.Properties).toMatchObject({
    ScheduleExpression: 'cron(0 5 1 * ? *)',
    RecoveryPointSelection: {
      Algorithm: 'LATEST_WITHIN_WINDOW',
      IncludeVaults: ['LocalVault.BackupVaultArn'],
    },
  })
  expect(production.RestoredTables.Properties).toMatchObject({
    ProtectedResourceType: 'DynamoDB',
    ProtectedResourceConditions: {
      StringEquals: [{ Key: 'aws:ResourceTag/sst:app', Value: 'embed-access' }],
    },
  })
})

test('the restore test uses the tables that it restored, and none of the service', () => {
  const statements = statementsIn(production, 'RestoreRole')
  const actions = itemActions.filter((action) => !action.endsWith('BatchGetItem'))
  const ofRestored = every(actions, [arn('dynamodb', 'table/awsbackup-restore-test-1')])
  const ofService = every(actions, [...madeTables, signingKeys])
  expect(allowed(statements, [...ofRestored, ...ofService])).toEqual(ofRestored)
  const backups = [...madeTables, signingKeys].map((table) => `${table}/backup/1`)
  const restored = every(['dynamodb:RestoreTableFromBackup'], backups)
  expect(allowed(statements, restored)).toEqual(restored.slice(0, -1))
})
