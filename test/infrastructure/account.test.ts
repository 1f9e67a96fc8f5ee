import { describe, expect, test } from 'vitest'
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
import { arn, named, ofType, stageNames } from './suite.ts'

test('names of roles and policies, which are of the whole account, end with the region', () => {
  const given = { KeySubjects: 'repo:org/repo:environment:keys-staging', DrillSubjects: 'd', BackupVault: 'vault' }
  const names = Object.values(resourcesOf('staging', given)).flatMap(
    ({ Properties: { RoleName = [], ManagedPolicyName = [] } }) => [RoleName, ManagedPolicyName].flat(),
  )
  expect(names.length).toBeGreaterThanOrEqual(6)
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
    DrillSubjects: 'a',
    HostedZone: 'Z',
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

  test('everything that stands for all resources is on a list', () => {
    const everything = deploy.filter(({ Resource }) => Resource.includes('*')).map(({ Sid }) => Sid)
    expect(everything).toEqual(['TaggedResources', 'QueueToFunction', 'AccessLogs', 'AlarmsToRead'])
  })
})

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
  for (const stage of stageNames.filter((name) => name === 'production')) {
    const tables = ['CatalogTable', 'SessionsTable', 'CredentialsTable'].map(
      (table) => named(stage, 'aws:dynamodb/table:Table', table).inputs.name as string,
    )
    for (const table of [...tables, keyTableName('production')]) {
      expect(matches(pattern, arn('dynamodb', `table/${table}`))).toBe(true)
    }
  }
})
