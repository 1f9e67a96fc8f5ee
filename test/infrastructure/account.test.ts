import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { boundaryName, environmentOf, keyAlias, keyTableName } from '../../stacks/names.ts'
import { arn, named, ofType, type StageName, stageNames } from './suite.ts'

/*
 * stacks/account.yml, worked out as CloudFormation does it, and held against what the deployment makes: each role can do what
 * it is for, and not more than that.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Statement = {
  readonly Sid: string
  readonly Effect: string
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

const template = parse(readFileSync('stacks/account.yml', 'utf8')) as {
  Parameters: Record<string, { Default?: string }>
  Mappings: Record<string, Record<string, Record<string, string>>>
  Conditions: Record<string, Json>
  Resources: Record<string, { Type: string; Condition?: string; DeletionPolicy?: string; Properties: Json }>
}

type Environment = 'production' | 'staging' | 'preview'

/** The resources of an environment with all functions of CloudFormation worked out. */
function resourcesOf(environment: Environment, given: Readonly<Record<string, string>> = {}) {
  const parameters: Record<string, string> = {
    'AWS::Region': 'eu-central-1',
    'AWS::AccountId': '123456789012',
    Environment: environment,
    Subjects: `repo:org/repo:environment:${environment}`,
    Operators: arn('iam', 'role/people', ''),
    ...given,
  }
  const gone = Symbol('AWS::NoValue')
  const ref = (name: string): unknown => {
    if (name === 'AWS::NoValue') return gone
    if (name in template.Resources) return name === 'Boundary' ? 'BOUNDARY' : name
    const value = parameters[name] ?? template.Parameters[name]?.Default
    if (value === undefined) throw new Error(`no parameter ${name}`)
    return value
  }
  const holds = (name: string): boolean => value(template.Conditions[name] as Json) as boolean
  function value(json: Json): unknown {
    if (Array.isArray(json)) return json.map((each) => value(each)).filter((each) => each !== gone)
    if (typeof json !== 'object' || json === null) return json
    const [[name, argument] = ['', null], ...more] = Object.entries(json) as [string, Json][]
    const list = () => (argument as readonly Json[]).map((each) => value(each))
    if (more.length === 0) {
      switch (name) {
        case 'Ref':
          return ref(argument as string)
        case 'Condition':
          return typeof argument === 'string' && argument in template.Conditions
            ? holds(argument)
            : { Condition: value(argument) }
        case 'Fn::Equals':
          return new Set(list()).size === 1
        case 'Fn::Not':
          return !list()[0]
        case 'Fn::And':
          return list().every(Boolean)
        case 'Fn::Join':
          return list().slice(1).join('')
        case 'Fn::GetAtt':
          return `${(argument as string[])[0]}.${(argument as string[])[1]}`
        case 'Fn::FindInMap': {
          const [map, key, column] = list() as [string, string, string]
          return template.Mappings[map]?.[key]?.[column]
        }
        case 'Fn::If': {
          const [condition, yes, no] = argument as readonly [string, Json, Json]
          return value(holds(condition) ? yes : no)
        }
        case 'Fn::Sub': {
          const [text, own] = (typeof argument === 'string' ? [argument, {}] : argument) as [
            string,
            Record<string, Json>,
          ]
          return text.replaceAll(/\$\{([\w:]+)\}/g, (_, name: string) =>
            String(name in own ? value(own[name] as Json) : ref(name)),
          )
        }
      }
    }
    return Object.fromEntries(
      Object.entries(json)
        .map(([key, each]) => [key, value(each as Json)] as const)
        .filter(([, each]) => each !== gone),
    )
  }
  return Object.fromEntries(
    Object.entries(template.Resources)
      .filter(([, { Condition }]) => Condition === undefined || holds(Condition))
      // biome-ignore lint/suspicious/noExplicitAny: properties of any resource
      .map(([name, resource]) => [name, { ...resource, Properties: value(resource.Properties) as any }]),
  )
}

const listOf = <Item>(one: Item | readonly Item[]): readonly Item[] => (Array.isArray(one) ? one : [one as Item])

// biome-ignore lint/suspicious/noExplicitAny: a policy as it is written
const statementsOf = (document: any): Statement[] =>
  document.Statement.map((statement: Statement) => ({
    ...statement,
    Action: listOf(statement.Action),
    Resource: listOf(statement.Resource),
  }))

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*')}$`).test(text)

/** The statements that allow an action on a resource, whatever their conditions. */
const allowing = (statements: readonly Statement[], action: string, resource: string): Statement[] =>
  statements.filter(
    (statement) =>
      statement.Effect === 'Allow' &&
      statement.Action.some((each) => matches(each, action)) &&
      statement.Resource.some((each) => matches(each, resource)),
  )

const physical: Readonly<Record<Environment, string>> = {
  production: 'production',
  staging: 'staging',
  preview: 'pr-7',
}
const stageOf: Readonly<Record<Environment, StageName>> = {
  production: 'production',
  staging: 'staging',
  preview: 'preview',
}
const environments = ['production', 'staging', 'preview'] as const

const deployStatements = (environment: Environment, given?: Readonly<Record<string, string>>): Statement[] => {
  const { DeployData, DeployCompute } = resourcesOf(environment, given)
  return [DeployData, DeployCompute].flatMap((policy) => statementsOf(policy?.Properties.PolicyDocument))
}

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
