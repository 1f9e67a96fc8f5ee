import { describe, expect, inject, test } from 'vitest'
import { boundaryName, environmentOf, keyAlias, keyTableName } from '../../stacks/names.ts'
import {
  allowing,
  deployStatements,
  environments,
  matches,
  physical,
  resourcesOf,
  stageOf,
  statementsOf,
} from './account-template.ts'
import { arn, named, ofType, stages } from './suite.ts'

test('names of roles and policies, which are of the whole account, end with the region', () => {
  const given = {
    KeySubjects: 'repo:org/repo:environment:keys-staging',
    PlanSubjects: 'p',
    KeyHolders: 'k',
    BackupVault: 'v',
  }
  const names = Object.values(resourcesOf('staging', given)).flatMap(
    ({ Properties: { RoleName = [], ManagedPolicyName = [] } }) => [RoleName, ManagedPolicyName].flat(),
  )
  expect(names).toHaveLength(8)
  for (const name of names) expect(name).toMatch(/^embed-access-.*-eu-central-1$/)
})

test('names are those that deployment and commands use', () => {
  for (const environment of environments) {
    const { SigningKeysAlias, Boundary } = resourcesOf(environment)
    const stage = physical[environment]
    expect(environmentOf(stage)).toBe(environment)
    expect(SigningKeysAlias?.Properties.AliasName).toBe(keyAlias(stage))
    expect(Boundary?.Properties.ManagedPolicyName).toBe(boundaryName(stage, 'eu-central-1'))
  }
})

test('every policy is within what AWS takes', () => {
  const given = {
    KeySubjects: 'a',
    KeyHolders: 'a',
    PlanSubjects: 'a',
    HostedZone: 'Z',
    Edge: 'on',
    BackupVault: arn('backup', 'backup-vault:v'),
  }
  for (const environment of environments) {
    for (const { Type, Properties } of Object.values(resourcesOf(environment, given))) {
      const sizeOf = (document: unknown) => JSON.stringify(document).length
      if (Type === 'AWS::IAM::ManagedPolicy') expect(sizeOf(Properties.PolicyDocument)).toBeLessThan(6144)
      if (Type === 'AWS::IAM::Role') expect(sizeOf(Properties.Policies ?? [])).toBeLessThan(10_240)
    }
  }
})

test('the key of the signing keys rotates itself and outlives the stack', () => {
  const { SigningKeysKey } = resourcesOf('production')
  expect(SigningKeysKey).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
  expect(SigningKeysKey?.Properties).toMatchObject({ EnableKeyRotation: true, PendingWindowInDays: 30 })
})

describe.each(environments)('%s', (environment) => {
  const stage = physical[environment]
  const boundary = statementsOf(resourcesOf(environment).Boundary?.Properties.PolicyDocument)
  const deploy = deployStatements(environment)
  const role = arn('iam', `role/embed-access-${stage}-AuthorizerRole-abc`, '')

  test('the boundary lets every function do what its role allows', () => {
    const roles = ofType(stageOf[environment], 'aws:iam/role:Role')
    expect(roles.length).toBeGreaterThan(5)
    for (const { inputs } of roles) {
      const { Statement } = JSON.parse(inputs.inlinePolicies[0].policy)
      for (const { Action, Resource } of Statement) {
        for (const action of Action) {
          for (const resource of Resource) {
            // The mock's key is another one than the template's.
            const found = allowing(boundary, action, action === 'kms:Decrypt' ? 'SigningKeysKey.Arn' : resource)
            expect(found, `${action} ${resource}`).toHaveLength(1)
          }
        }
      }
    }
  })

  test('the boundary lets no role manage anything, or reach another environment', () => {
    const others = environments.filter((each) => each !== environment).map((each) => physical[each])
    const never = [
      ['iam:CreateRole', role],
      ['dynamodb:DeleteTable', arn('dynamodb', `table/embed-access-${stage}-CatalogTable-abc`)],
      ['dynamodb:Scan', arn('dynamodb', `table/embed-access-${stage}-CatalogTable-abc`)],
      ['lambda:InvokeFunction', arn('lambda', `function:embed-access-${stage}-authorizer`)],
      ['s3:GetObject', 'arn:aws:s3:::sst-state-abc/app/embed-access/production.json'],
      ...others.map((other) => ['dynamodb:GetItem', arn('dynamodb', `table/embed-access-${other}-signing-keys`)]),
    ] as const
    for (const [action, resource] of never) expect(allowing(boundary, action as string, resource as string)).toEqual([])
  })

  test('only jobs of its own environment deploy it', () => {
    const { DeployRole } = resourcesOf(environment)
    expect(DeployRole?.Properties.RoleName).toBe(`embed-access-deploy-${environment}-eu-central-1`)
    expect(DeployRole?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Federated: arn('iam', 'oidc-provider/token.actions.githubusercontent.com', '') },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': `repo:org/repo:environment:${environment}`,
          },
        },
      },
    ])
  })

  test('it makes no role without the boundary, and hands roles to Lambda alone', () => {
    for (const action of [
      'iam:CreateRole',
      'iam:PutRolePolicy',
      'iam:DeleteRolePolicy',
      'iam:PutRolePermissionsBoundary',
    ]) {
      const found = allowing(deploy, action, role)
      expect(found.map(({ Condition }) => Condition)).toEqual([
        { StringEquals: { 'iam:PermissionsBoundary': 'BOUNDARY' } },
      ])
    }
    for (const action of [
      'iam:DeleteRolePermissionsBoundary',
      'iam:AttachRolePolicy',
      'iam:CreatePolicyVersion',
      'iam:SetDefaultPolicyVersion',
      'iam:CreateUser',
      'sts:AssumeRole',
    ]) {
      const policy = arn('iam', `policy/${boundaryName(stage, 'eu-central-1')}`, '')
      for (const resource of [role, policy]) expect(allowing(deploy, action, resource), action).toEqual([])
    }
    expect(allowing(deploy, 'iam:PassRole', role).map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
    ])
    for (const own of ['deploy', 'operate'].map((name) => `embed-access-${name}-${environment}-eu-central-1`)) {
      expect(allowing(deploy, 'iam:UpdateAssumeRolePolicy', arn('iam', `role/${own}`, ''))).toEqual([])
      expect(allowing(deploy, 'iam:PutRolePolicy', arn('iam', `role/${own}`, ''))).toEqual([])
    }
  })

  test('it reaches the resources of its own environment, and of no other', () => {
    const others = environments.filter((each) => each !== environment).map((each) => physical[each])
    const reached = (of: string): readonly (readonly [string, string])[] => [
      ['lambda:UpdateFunctionCode', arn('lambda', `function:embed-access-${of}-authorizer`)],
      ['dynamodb:UpdateTable', arn('dynamodb', `table/embed-access-${of}-CatalogTable-abc`)],
      ['logs:DeleteLogGroup', arn('logs', `log-group:/aws/lambda/embed-access-${of}-authorizer`)],
      ['cloudwatch:DeleteAlarms', arn('cloudwatch', `alarm:embed-access-${of}-Heartbeat`)],
      ['sns:DeleteTopic', arn('sns', `embed-access-${of}-alarms`)],
      ['iam:DeleteRole', arn('iam', `role/embed-access-${of}-AuthorizerRole-abc`, '')],
    ]
    for (const [action, resource] of reached(stage)) expect(allowing(deploy, action, resource)).toHaveLength(1)
    for (const other of others) {
      for (const [action, resource] of reached(other)) expect(allowing(deploy, action, resource)).toEqual([])
    }
  })

  test('in production it reads and writes no items but the public signing keys', () => {
    const catalog = arn('dynamodb', `table/embed-access-${stage}-CatalogTable-abc`)
    const keys = arn('dynamodb', `table/${keyTableName(stage)}`)
    const items = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']
    const allowed = items.filter((action) => allowing(deploy, `dynamodb:${action}`, catalog).length > 0)
    expect(allowed).toEqual(
      environment === 'production' ? [] : items.filter((action) => !['Scan', 'BatchWriteItem'].includes(action)),
    )
    if (environment !== 'production') return
    expect(allowing(deploy, 'dynamodb:DeleteTable', catalog)).toEqual([])
    expect(allowing(deploy, 'dynamodb:PutItem', keys)).toEqual([])
    expect(allowing(deploy, 'dynamodb:GetItem', keys).map(({ Condition }) => Condition)).toEqual([
      {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['public#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    ])
  })

  test('it reads and writes the state and the parameters of its own stages alone', () => {
    const others = environments.filter((each) => each !== environment).map((each) => physical[each])
    const stored = (of: string): [string, string][] => [
      ...['app', 'lock', 'secret'].map((kind): [string, string] => ['s3', `${kind}/embed-access/${of}.json`]),
      ['s3', `snapshot/embed-access/${of}/8f3a.json`],
      ['ssm', `/sst/passphrase/embed-access/${of}`],
    ]
    const actions = {
      s3: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:DeleteObjectVersion'],
      ssm: ['ssm:GetParameter', 'ssm:PutParameter', 'ssm:DeleteParameter'],
    }
    for (const of of [stage, ...others]) {
      for (const [store, name] of stored(of)) {
        const resource = store === 's3' ? `arn:aws:s3:::sst-state-abc/${name}` : arn('ssm', `parameter${name}`)
        for (const action of actions[store as 's3' | 'ssm']) {
          expect(allowing(deploy, action, resource), `${action} ${resource}`).toHaveLength(of === stage ? 1 : 0)
        }
      }
    }
  })

  test('a preview makes nothing that all stages of the region share', () => {
    const shared = [
      ['ssm:PutParameter', arn('ssm', 'parameter/sst/bootstrap')],
      ['s3:CreateBucket', 'arn:aws:s3:::sst-state-abc'],
      ['s3:PutBucketPolicy', 'arn:aws:s3:::sst-state-abc'],
    ] as const
    for (const [action, resource] of shared) {
      expect(allowing(deploy, action, resource)).toHaveLength(environment === 'pr' ? 0 : 1)
    }
  })

  test('everything that stands for all resources is on a list', () => {
    const everything = deploy.filter(({ Resource }) => Resource.includes('*')).map(({ Sid }) => Sid)
    expect(everything).toEqual(['TaggedResources', 'QueueToFunction', 'AccessLogs', 'AllAlarms'])
  })
})

/** What makes the resources that only an edge has. */
const makingEdge: Readonly<Record<string, (stage: string) => readonly [action: string, resource: string]>> = {
  'aws:cloudfront/cachePolicy:CachePolicy': () => [
    'cloudfront:CreateCachePolicy',
    arn('cloudfront', 'cache-policy/1', ''),
  ],
  'aws:cloudfront/distribution:Distribution': () => [
    'cloudfront:CreateDistribution',
    arn('cloudfront', 'distribution/1', ''),
  ],
  'aws:cloudfront/function:Function': (stage) => [
    'cloudfront:CreateFunction',
    arn('cloudfront', `function/embed-access-${stage}-edge`, ''),
  ],
  'aws:wafv2/webAcl:WebAcl': (stage) => [
    'wafv2:CreateWebACL',
    arn('wafv2', `global/webacl/embed-access-${stage}-edge/1`, 'us-east-1'),
  ],
  'aws:acm/certificate:Certificate': () => ['acm:RequestCertificate', arn('acm', 'certificate/1', 'us-east-1')],
}

test('the deploying role makes an edge if that is asked for, and otherwise nothing of it', () => {
  const types = new Set(inject('edge').resources.map(({ type }) => type))
  for (const [type, made] of Object.entries(makingEdge)) {
    expect(types).toContain(type)
    const [action, resource] = made('production')
    expect(allowing(deployStatements('production', { HostedZone: 'Z1', Edge: 'on' }), action, resource)).toHaveLength(1)
    expect(allowing(deployStatements('production', { HostedZone: 'Z1' }), action, resource)).toEqual([])
  }
  const unknown = [...types].filter((type) => type.startsWith('aws:') && !making[type] && !makingEdge[type])
  expect(unknown).toEqual([])
})

/** What makes a resource of each type, with a resource as it is named in a stage. A type that is missing here fails the test below. */
const making: Readonly<Record<string, (stage: string) => readonly [action: string, resource: string]>> = {
  'aws:acm/certificate:Certificate': () => ['acm:RequestCertificate', arn('acm', 'certificate/1')],
  'aws:acm/certificateValidation:CertificateValidation': () => ['acm:DescribeCertificate', arn('acm', 'certificate/1')],
  'aws:apigatewayv2/api:Api': () => ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/apis'],
  'aws:apigatewayv2/apiMapping:ApiMapping': () => [
    'apigateway:POST',
    'arn:aws:apigateway:eu-central-1::/domainnames/d/apimappings',
  ],
  'aws:apigatewayv2/authorizer:Authorizer': () => [
    'apigateway:POST',
    'arn:aws:apigateway:eu-central-1::/apis/1/authorizers',
  ],
  'aws:apigatewayv2/domainName:DomainName': () => ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/domainnames'],
  'aws:apigatewayv2/integration:Integration': () => [
    'apigateway:POST',
    'arn:aws:apigateway:eu-central-1::/apis/1/integrations',
  ],
  'aws:apigatewayv2/route:Route': () => ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/apis/1/routes'],
  'aws:apigatewayv2/stage:Stage': () => ['apigateway:POST', 'arn:aws:apigateway:eu-central-1::/apis/1/stages'],
  // AWS takes no narrower permission for these: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
  'aws:cloudwatch/compositeAlarm:CompositeAlarm': () => ['cloudwatch:PutCompositeAlarm', '*'],
  'aws:cloudwatch/contributorInsightRule:ContributorInsightRule': (stage) => [
    'cloudwatch:PutInsightRule',
    arn('cloudwatch', `insight-rule/embed-access-${stage}-x`),
  ],
  'aws:cloudwatch/dashboard:Dashboard': (stage) => [
    'cloudwatch:PutDashboard',
    arn('cloudwatch', `dashboard/embed-access-${stage}-x`, ''),
  ],
  'aws:cloudwatch/eventRule:EventRule': (stage) => ['events:PutRule', arn('events', `rule/embed-access-${stage}-x`)],
  'aws:cloudwatch/eventTarget:EventTarget': (stage) => [
    'events:PutTargets',
    arn('events', `rule/platform/embed-access-${stage}-x`),
  ],
  'aws:cloudwatch/logGroup:LogGroup': (stage) => [
    'logs:CreateLogGroup',
    arn('logs', `log-group:/aws/lambda/embed-access-${stage}-x`),
  ],
  'aws:cloudwatch/logMetricFilter:LogMetricFilter': (stage) => [
    'logs:PutMetricFilter',
    arn('logs', `log-group:/aws/lambda/embed-access-${stage}-x`),
  ],
  'aws:budgets/budget:Budget': (stage) => ['budgets:ModifyBudget', arn('budgets', `budget/embed-access-${stage}`, '')],
  'aws:cloudwatch/logSubscriptionFilter:LogSubscriptionFilter': () => [
    'logs:PutSubscriptionFilter',
    arn('logs', 'destination:archive'),
  ],
  'aws:dynamodb/contributorInsights:ContributorInsights': (stage) => [
    'dynamodb:UpdateContributorInsights',
    arn('dynamodb', `table/embed-access-${stage}-x`),
  ],
  'aws:sns/topicPolicy:TopicPolicy': (stage) => ['sns:SetTopicAttributes', arn('sns', `embed-access-${stage}-x`)],
  'aws:cloudwatch/metricAlarm:MetricAlarm': (stage) => [
    'cloudwatch:PutMetricAlarm',
    arn('cloudwatch', `alarm:embed-access-${stage}-x`),
  ],
  'aws:dynamodb/table:Table': (stage) => ['dynamodb:CreateTable', arn('dynamodb', `table/embed-access-${stage}-x`)],
  'aws:iam/role:Role': (stage) => ['iam:CreateRole', arn('iam', `role/embed-access-${stage}-x`, '')],
  'aws:lambda/eventSourceMapping:EventSourceMapping': () => ['lambda:CreateEventSourceMapping', '*'],
  'aws:lambda/function:Function': (stage) => [
    'lambda:CreateFunction',
    arn('lambda', `function:embed-access-${stage}-x`),
  ],
  'aws:lambda/permission:Permission': (stage) => [
    'lambda:AddPermission',
    arn('lambda', `function:embed-access-${stage}-x`),
  ],
  'aws:route53/healthCheck:HealthCheck': () => ['route53:CreateHealthCheck', 'arn:aws:route53:::healthcheck/1'],
  'aws:route53/record:Record': () => ['route53:ChangeResourceRecordSets', 'arn:aws:route53:::hostedzone/Z1'],
  'aws:s3/bucketObjectv2:BucketObjectv2': () => ['s3:PutObject', 'arn:aws:s3:::sst-asset-1/assets/x.zip'],
  'aws:sns/topic:Topic': (stage) => ['sns:CreateTopic', arn('sns', `embed-access-${stage}-x`)],
  'aws:sns/topicSubscription:TopicSubscription': (stage) => ['sns:Subscribe', arn('sns', `embed-access-${stage}-x`)],
  'aws:sqs/queue:Queue': (stage) => ['sqs:CreateQueue', arn('sqs', `embed-access-${stage}-x`)],
  'aws:sqs/queuePolicy:QueuePolicy': (stage) => ['sqs:SetQueueAttributes', arn('sqs', `embed-access-${stage}-x`)],
  'aws:sqs/redriveAllowPolicy:RedriveAllowPolicy': (stage) => [
    'sqs:SetQueueAttributes',
    arn('sqs', `embed-access-${stage}-x`),
  ],
}

test.each(environments)(
  '%s: the deploying role makes every type of resource that the deployment has',
  (environment) => {
    const types = stages[stageOf[environment]].resources
      .map(({ type }) => type)
      .filter((type) => type.startsWith('aws:'))
    const statements = deployStatements(environment, { HostedZone: 'Z1' })
    const missing = [...new Set(types)].filter((type) => {
      const [action, resource] = making[type]?.(physical[environment]) ?? ['', '']
      return allowing(statements, action, resource).length === 0
    })
    expect(missing, 'Give the role in stacks/account.yml what makes these, and say it in the table above.').toEqual([])
  },
)

test('zone and certificate are those that are named', () => {
  const zone = 'route53:ChangeResourceRecordSets'
  const anyZone = 'arn:aws:route53:::hostedzone/OTHER'
  expect(allowing(deployStatements('production'), zone, anyZone)).toEqual([])
  const withZone = deployStatements('production', { HostedZone: 'Z1' })
  expect(allowing(withZone, zone, 'arn:aws:route53:::hostedzone/Z1')).toHaveLength(1)
  expect(allowing(withZone, zone, anyZone)).toEqual([])
  expect(withZone.map(({ Sid }) => Sid)).toContain('MadeCertificate')
  const own = 'arn:aws:acm:eu-central-1:123456789012:certificate/own'
  const withCertificate = deployStatements('production', { Certificate: own })
  expect(allowing(withCertificate, 'acm:DescribeCertificate', own)).toHaveLength(1)
  expect(allowing(withCertificate, 'acm:RequestCertificate', own)).toEqual([])
  expect(allowing(withCertificate, 'acm:DescribeCertificate', `${own}2`)).toEqual([])
})

test('a domain of one’s own needs API Gateway’s own role, and no other service’s', () => {
  const statements = deployStatements('production')
  const of = (service: string) =>
    allowing(
      statements,
      'iam:CreateServiceLinkedRole',
      arn('iam', `role/aws-service-role/${service}/AWSServiceRoleFor`, ''),
    )
  expect(of('ops.apigateway.amazonaws.com').map(({ Condition }) => Condition)).toEqual([
    { StringEquals: { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' } },
  ])
  expect(of('ec2.amazonaws.com')).toEqual([])
})

test('the job that rotates keys may do that alone, if it is asked for', () => {
  expect(Object.keys(resourcesOf('production'))).not.toContain('RotateRole')
  const { RotateRole } = resourcesOf('production', { KeySubjects: 'repo:org/repo:environment:keys-production' })
  const { Policies, AssumeRolePolicyDocument } = RotateRole?.Properties ?? {}
  expect(AssumeRolePolicyDocument.Statement[0].Condition.StringEquals).toEqual({
    'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
    'token.actions.githubusercontent.com:sub': 'repo:org/repo:environment:keys-production',
  })
  const statements = statementsOf(Policies[0].PolicyDocument)
  expect(statements.map(({ Action, Resource }) => [Action, Resource])).toEqual([
    [['dynamodb:GetItem', 'dynamodb:PutItem'], [arn('dynamodb', 'table/embed-access-production-signing-keys')]],
    [['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey*'], ['SigningKeysKey.Arn']],
  ])
})

const itemActions = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'PutItem', 'UpdateItem', 'DeleteItem']
const signingKeys = arn('dynamodb', `table/${keyTableName('production')}`)
const madeTables = ['CatalogTable', 'SessionsTable', 'CredentialsTable'].map((table) =>
  arn('dynamodb', `table/${named('production', 'aws:dynamodb/table:Table', table).inputs.name}`),
)
// biome-ignore lint/suspicious/noExplicitAny: a role as it is written
const inline = (role: any) => statementsOf(role?.Properties.Policies[0].PolicyDocument)

test('who imports a catalog reaches every table but that of the signing keys', () => {
  const operator = inline(resourcesOf('production').OperatorRole)
  for (const action of itemActions) {
    for (const table of madeTables) {
      expect(allowing(operator, `dynamodb:${action}`, table)).toHaveLength(1)
    }
    expect(allowing(operator, `dynamodb:${action}`, signingKeys)).toEqual([])
  }
  expect(allowing(operator, 'kms:Decrypt', 'SigningKeysKey.Arn')).toEqual([])
})

test('signing keys are made and rotated by hand with a second factor, by those who are named', () => {
  expect(Object.keys(resourcesOf('production'))).not.toContain('KeyRole')
  const { KeyRole } = resourcesOf('production', { KeyHolders: arn('iam', 'user/ada', '') })
  expect(KeyRole?.Properties.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Effect: 'Allow',
      Principal: { AWS: arn('iam', 'user/ada', '') },
      Action: 'sts:AssumeRole',
      Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
    },
  ])
  const statements = inline(KeyRole)
  for (const action of ['CreateTable', 'GetItem', 'PutItem']) {
    expect(allowing(statements, `dynamodb:${action}`, signingKeys)).toHaveLength(1)
    for (const table of madeTables) expect(allowing(statements, `dynamodb:${action}`, table)).toEqual([])
  }
})

test('the job that shows a plan can change nothing, and of items reads the public keys alone', () => {
  expect(Object.keys(resourcesOf('production'))).not.toContain('PlanRole')
  const resources = resourcesOf('production', {
    PlanSubjects: 'plan',
    HostedZone: 'Z1',
    Certificate: 'arn:aws:acm:own',
  })
  const policies: string[] = resources.PlanRole?.Properties.ManagedPolicyArns
  const statements = policies.flatMap((policy) => statementsOf(resources[policy]?.Properties.PolicyDocument))
  const actions = statements.flatMap(({ Action }) => Action)
  expect(actions.filter((action) => !/:(Get|List|Describe)[A-Za-z]+$/.test(action))).toEqual(['kms:Decrypt'])
  for (const action of itemActions) {
    for (const table of madeTables) expect(allowing(statements, `dynamodb:${action}`, table)).toEqual([])
  }
  expect(allowing(statements, 'dynamodb:GetItem', signingKeys).map(({ Sid }) => Sid)).toEqual(['PublicKeys'])
})

test('copies in another account are made of every table, daily, if a vault is named', () => {
  expect(Object.keys(resourcesOf('production'))).not.toContain('BackupPlan')
  const vault = 'arn:aws:backup:eu-central-1:999999999999:backup-vault:copies'
  const { BackupPlan, BackedUpTables } = resourcesOf('production', { BackupVault: vault })
  expect(BackupPlan?.Properties.BackupPlan.BackupPlanRule).toEqual([
    {
      RuleName: 'daily',
      TargetBackupVault: 'LocalVault',
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Lifecycle: { DeleteAfterDays: 7 },
      CopyActions: [{ DestinationBackupVaultArn: vault, Lifecycle: { DeleteAfterDays: 35 } }],
    },
  ])
  const [pattern] = BackedUpTables?.Properties.BackupSelection.Resources ?? []
  for (const table of [...madeTables, signingKeys]) expect(matches(pattern, table)).toBe(true)
})

describe('the restore test', () => {
  const { RestoreTest, RestoredTables, RestoreRole } = resourcesOf('production', { BackupVault: 'vault' })

  test('restores the newest backup of this environment’s vault every month', () => {
    expect(RestoreTest?.Properties).toEqual({
      RestoreTestingPlanName: 'embed_access_production',
      ScheduleExpression: 'cron(0 5 1 * ? *)',
      RecoveryPointSelection: {
        Algorithm: 'LATEST_WITHIN_WINDOW',
        RecoveryPointTypes: ['SNAPSHOT'],
        IncludeVaults: ['LocalVault.BackupVaultArn'],
        SelectionWindowDays: 2,
      },
    })
  })

  test('takes the tables that SST has tagged, which are all but that of the signing keys', () => {
    expect(RestoredTables?.Properties).toMatchObject({
      ProtectedResourceType: 'DynamoDB',
      ProtectedResourceConditions: { StringEquals: [{ Key: 'aws:ResourceTag/sst:app', Value: 'embed-access' }] },
    })
  })

  test('reads and writes what it has restored, and no table of the service', () => {
    const statements = inline(RestoreRole)
    for (const action of itemActions.filter((action) => action !== 'BatchGetItem')) {
      expect(
        allowing(statements, `dynamodb:${action}`, arn('dynamodb', 'table/awsbackup-restore-test-1')),
      ).toHaveLength(1)
      for (const table of [...madeTables, signingKeys]) {
        expect(allowing(statements, `dynamodb:${action}`, table)).toEqual([])
      }
    }
    expect(allowing(statements, 'dynamodb:RestoreTableFromBackup', `${madeTables[0]}/backup/1`)).toHaveLength(1)
    expect(allowing(statements, 'dynamodb:RestoreTableFromBackup', `${signingKeys}/backup/1`)).toEqual([])
  })
})
