import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import {
  boundaryName,
  environmentOf,
  keyAlias,
  keyTableName,
  restoreTestName,
} from '../../stacks/names.ts'
import {
  allowing,
  compared,
  deployStatements,
  type Environment,
  everything,
  type Given,
  matches,
  outputs,
  parameters,
  resourcesOf,
  statementsIn,
  written,
} from './account-template.ts'
import { neededBy, neededInBoundary, neededToDeploy, neededToPlan } from './needed.ts'
import { arn, stageOf } from './suite.ts'

const environments: readonly (readonly [Environment, stage: string])[] = [
  ['production', 'production'],
  ['staging', 'staging'],
  ['pr', 'pr-7'],
]

test('names of roles and policies end with the region', () => {
  const names = Object.values(resourcesOf('staging', everything)).flatMap(
    ({ Properties: { RoleName = [], ManagedPolicyName = [] } }) =>
      [RoleName, ManagedPolicyName].flat(),
  )
  expect(names).toHaveLength(8)
  for (const name of names) expect(name).toMatch(/^embed-access-.*-eu-central-1$/)
})

test('environments of one account share no name', () => {
  const text = JSON.stringify(resourcesOf('staging', everything))
  const names = [...text.matchAll(/"\w+Name":"(?:alias\/)?(embed[^"]*)"/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(name).toMatch(/^embed[_-]access[_-].*\bstaging|_staging$/)
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
    expect(Type).toMatch(/^AWS::\w+::\w+$/)
    const text = JSON.stringify(Properties)
    const documents = text.match(/"Statement":/g)?.length ?? 0
    expect(text.match(/"Version":"2012-10-17"/g)?.length ?? 0).toBe(documents)
  }
})

test('a stack is for one of the three environments, and has an edge or none', () => {
  expect(() => resourcesOf('pr-7' as Environment)).toThrow('Environment may not be pr-7')
  expect(() => resourcesOf('production', { Edge: 'off' })).toThrow('Edge may not be off')
})

test('docs/deploy.md has every parameter', () => {
  const guide = readFileSync('docs/deploy.md', 'utf8')
  const missing = Object.keys(parameters).filter(
    (name) => !guide.includes(`\`${name}\``) && !guide.includes(` ${name}=`),
  )
  expect(missing).toEqual([])
})

test('the stack tells of each role that somebody outside of it takes', () => {
  const roles = Object.entries(production).filter(([, { Type, Properties }]) => {
    const [{ Principal }] = Properties.AssumeRolePolicyDocument?.Statement ?? [{ Principal: {} }]
    return Type === 'AWS::IAM::Role' && !Principal.Service
  })
  const told = roles.map(([name]) => {
    const Value = { called: 'GetAtt', argument: `${name}.Arn` }
    return [
      name,
      { ...(written[name]?.Condition && { Condition: written[name].Condition }), Value },
    ]
  })
  expect(outputs).toEqual(Object.fromEntries(told))
})

// `iam:*` would reach roles without the boundary, and `sqs:*` the messages.
test('all actions but these are named whole', () => {
  const all = environments.flatMap(([each]) => Object.entries(resourcesOf(each, everything)))
  const open = all.flatMap(([name, resource]) =>
    (JSON.stringify(resource).match(/(?<=")[\w-]+:\w*\*(?=")/g) ?? []).map(
      (action) => `${name} ${action}`,
    ),
  )
  expect([...new Set(open)].sort()).toEqual([
    ...['apigateway:*', 'lambda:*', 'logs:*'].map((each) => `DeployCompute ${each}`),
    ...['kms:GenerateDataKey*', 'kms:ReEncrypt*'].map((each) => `DeployData ${each}`),
    ...['apigateway:*', 'sns:*'].map((each) => `DeployMonitoring ${each}`),
    ...['kms:GenerateDataKey*', 'kms:ReEncrypt*'].map((each) => `KeyRole ${each}`),
    'RotateRole kms:GenerateDataKey*',
    'SigningKeysKey kms:*',
  ])
})

test('the key of the signing keys rotates itself and outlives the stack', () => {
  expect(resourcesOf('production').SigningKeysKey).toMatchObject({
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 },
  })
})

/** Previews have no domain, no edge and no backups. */
const givenTo = (environment: Environment): Given => (environment === 'pr' ? {} : everything)

/** Nothing is missing, nothing is unneeded, and what others have is out of reach. */
const exactly = { effects: ['Allow'], missing: [], unneeded: [], reached: [] }

test.each(environments)(
  '%s: the deploying role does what a deployment needs, for its own stages alone',
  (environment) => {
    const statements = deployStatements(environment, givenTo(environment))
    expect(compared(statements, neededToDeploy(environment))).toEqual(exactly)
  },
)

test.each(environments)('%s: the role of the plan reads what a plan needs', (environment) => {
  const statements = statementsIn(resourcesOf(environment, givenTo(environment)), 'ReadStage')
  expect(compared(statements, neededToPlan(environment))).toEqual(exactly)
  const actions = statements.flatMap(({ Action }) => Action)
  expect(actions.filter((action) => !/:(Get|List|Describe)[A-Za-z]+$/.test(action))).toEqual([
    'kms:Decrypt',
  ])
})

test.each(environments)(
  '%s: it makes no role without the boundary, which allows what roles need',
  (environment) => {
    const { Boundary } = resourcesOf(environment, givenTo(environment))
    const statements = statementsIn({ Boundary }, 'Boundary')
    const needs = neededInBoundary(environment)
    const { reached, ...others } = compared(statements, needs)
    expect(others).toEqual({ effects: ['Allow'], missing: [], unneeded: [] })
    // Topics that wake people may be in other accounts.
    expect(reached.filter((each) => !/^sns:Publish .*:sns:eu-central-1:/.test(each))).toEqual([])
  },
)

// The first one does not reach the table of signing keys.
test.each(['OperatorRole', 'KeyRole', 'RotateRole', 'RestoreRole'])(
  '%s has what its people or jobs need, and nothing else',
  (name) => {
    const statements = statementsIn(production, name)
    const needs = neededBy(name, 'production')
    expect(compared(statements, needs)).toEqual(exactly)
    const needed = new Set(needs.map(({ resource }) => resource))
    // Another thing of the same stage, and the same of a stage whose name begins with this one's.
    const others = needs.flatMap(({ action, resource }) =>
      [/(?<=embed-access-production).*/, /(?<=embed-access-production)(?!-7)/]
        .map((after, index) => resource.replace(after, index === 0 ? '-others' : '-7'))
        .filter((other) => !needed.has(other) && allowing(statements, action, other).length > 0),
    )
    expect(others).toEqual([])
  },
)

const jobs = (subject: string) => ({
  Principal: { Federated: arn('iam', 'oidc-provider/token.actions.githubusercontent.com', '') },
  Action: 'sts:AssumeRoleWithWebIdentity',
  Condition: {
    StringEquals: {
      'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
      'token.actions.githubusercontent.com:sub': [`repo:org/repo:environment:${subject}`],
    },
  },
})
const backup = { Principal: { Service: 'backup.amazonaws.com' }, Action: 'sts:AssumeRole' }
const people = { Principal: { AWS: arn('iam', 'role/people', '') }, Action: 'sts:AssumeRole' }

/** Who may have each role, and by which policies. */
const trusted: Readonly<Record<string, readonly [trust: object, policies: readonly string[]]>> = {
  DeployRole: [
    jobs('production'),
    ['ReadStage', 'DeployData', 'DeployCompute', 'DeployMonitoring', 'DeployEdge'],
  ],
  PlanRole: [jobs('plan-production'), ['ReadStage']],
  RotateRole: [jobs('keys-production'), []],
  OperatorRole: [people, []],
  // AWS only knows the second factor of IAM users.
  KeyRole: [
    {
      Principal: { AWS: [arn('iam', 'user/ada', '')] },
      Action: 'sts:AssumeRole',
      Condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
    },
    [],
  ],
  BackupRole: [
    backup,
    ['arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'],
  ],
  RestoreRole: [backup, []],
}

test('each role is trusted to whom it is for, and has the policies that are named', () => {
  const roles = Object.entries(production).filter(([, { Type }]) => Type === 'AWS::IAM::Role')
  expect(roles.map(([name]) => name).sort()).toEqual(Object.keys(trusted).sort())
  for (const [name, { Properties }] of roles) {
    const { AssumeRolePolicyDocument, ManagedPolicyArns = [], PermissionsBoundary } = Properties
    const [trust, policies] = trusted[name] ?? []
    expect(AssumeRolePolicyDocument.Statement, name).toEqual([{ Effect: 'Allow', ...trust }])
    expect([ManagedPolicyArns, PermissionsBoundary], name).toEqual([policies, undefined])
  }
})

test.each(environments)('%s: no policy is made for nobody', (environment) => {
  const all = Object.entries(resourcesOf(environment))
  const used = all.flatMap(([, { Properties }]) => Properties.ManagedPolicyArns ?? [])
  const made = all.filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
  // Roles of the deployment have this one.
  expect(new Set(made.map(([name]) => name))).toEqual(new Set([...used, 'Boundary']))
})

test('only the account administers the key of the signing keys', () => {
  expect(production.SigningKeysKey.Properties.KeyPolicy.Statement).toEqual([
    {
      Effect: 'Allow',
      Principal: { AWS: arn('iam', 'root', '') },
      Action: 'kms:*',
      Resource: '*',
    },
  ])
})

// CloudFormation refuses a second parameter of a name.
test('previews have an account of their own, and no other environment needs one', () => {
  const takenBy = (environment: Environment) =>
    Object.values(resourcesOf(environment)).flatMap(({ Type, Properties }) =>
      Type === 'AWS::SSM::Parameter' ? Properties.Name : [],
    )
  expect(environments.map(([environment]) => takenBy(environment))).toEqual([
    ['/embed-access/production'],
    ['/embed-access/staging'],
    ['/embed-access/production', '/embed-access/staging'],
  ])
})

/** The services whose permissions a deployment needs more of with this parameter. */
const onlyWith: Given = { HostedZone: 'acm route53', Edge: 'acm cloudfront logs wafv2' }

test('without a parameter the deploying role lacks only what that one asks for', () => {
  for (const name of Object.keys(everything)) {
    const statements = deployStatements('production', { ...everything, [name]: '' })
    const { missing } = compared(statements, neededToDeploy('production'))
    const services = new Set(missing.map(({ action }) => action.split(':')[0]))
    expect([...services].sort().join(' '), name).toBe(onlyWith[name] ?? '')
  }
})

test('zone, certificate and edge are those that are asked for', () => {
  const own = arn('acm', 'certificate/own')
  const reading = ({ HostedZone = '', Edge = '', Certificate = '' }: Given) => {
    const given = { ...everything, HostedZone, Edge, Certificate }
    const statements = deployStatements('production', given)
    return ['route53', 'acm', 'cloudfront', 'wafv2'].map((service) => {
      const of = statements.filter(({ Action }) => Action[0]?.startsWith(`${service}:`))
      return [...new Set(of.flatMap(({ Resource }) => Resource))]
        .filter((each) => !/healthcheck|^\*$/.test(each))
        .map((each) => each.split(':').slice(2, 4).join(' ') + each.slice(-6))
    })
  }
  expect(reading({})).toEqual([[], [], [], []])
  expect(reading({ Certificate: own })[1]).toEqual(['acm eu-central-1te/own'])
  const given = { ...everything, HostedZone: '', Certificate: own }
  const ofOwn = deployStatements('production', given).filter(({ Resource }) =>
    Resource.includes(own),
  )
  expect(ofOwn.map(({ Action }) => Action)).toEqual([['acm:DescribeCertificate']])
  expect(reading({ HostedZone: 'Z1' })[1]).toEqual(['acm eu-central-1cate/*'])
  expect(reading({ HostedZone: 'Z1', Edge: 'on' })[1]).toHaveLength(2)
})

const production = resourcesOf('production', everything)
const signingKeys = arn('dynamodb', `table/${keyTableName('production')}`)
const madeTables = Object.values(stageOf('production').made('dynamodb:Table')).map(({ name }) =>
  arn('dynamodb', `table/${name}`),
)

test('an environment has what each needs, and beyond it what is asked for', () => {
  const always = [
    'ProductionIsHere',
    'SigningKeysKey',
    'SigningKeysAlias',
    'Boundary',
    'DeployRole',
  ]
  const policies = ['ReadStage', 'DeployData', 'DeployCompute', 'DeployMonitoring', 'OperatorRole']
  const least = resourcesOf('production')
  // AWS deletes no vault with backups in it, and makes no second one of its name. So removing
  // `BackupVault` and setting it again would fail if the vault came and went with it.
  expect(Object.keys(least)).toEqual([...always, ...policies, 'LocalVault'])
  /** What is made besides, or is not the same. */
  const beyond = (name: string) => {
    const more = resourcesOf('production', { [name]: everything[name] ?? '' })
    return Object.keys(more).filter((each) => !isDeepStrictEqual(more[each], least[each]))
  }
  expect(Object.keys(everything).map(beyond)).toEqual([
    ['PlanRole'],
    ['RotateRole'],
    ['KeyRole'],
    ['ReadStage', 'DeployCompute'],
    ['DeployRole', 'DeployEdge'],
    ['BackupPlan', 'BackedUpTables', 'BackupRole', 'RestoreTest', 'RestoredTables', 'RestoreRole'],
  ])
})

test('copies in another account are made of every table, daily, if a vault is named', () => {
  expect(production.BackupPlan.Properties.BackupPlan.BackupPlanRule).toMatchObject([
    {
      TargetBackupVault: 'LocalVault',
      ScheduleExpression: 'cron(0 3 * * ? *)',
      Lifecycle: { DeleteAfterDays: 7 },
      CopyActions: [
        {
          DestinationBackupVaultArn: everything.BackupVault,
          Lifecycle: { DeleteAfterDays: 35 },
        },
      ],
    },
  ])
  const { BackupPlanId, BackupSelection } = production.BackedUpTables.Properties
  const { IamRoleArn, Resources } = BackupSelection
  expect([BackupPlanId, IamRoleArn]).toEqual(['BackupPlan', 'BackupRole.Arn'])
  expect([...madeTables, signingKeys].filter((table) => !matches(Resources[0], table))).toEqual([])
})

test('every month the newest backup of each table but the signing keys is restored', () => {
  expect(production.RestoreTest.Properties).toMatchObject({
    RestoreTestingPlanName: restoreTestName('production'),
    ScheduleExpression: 'cron(0 5 1 * ? *)',
    RecoveryPointSelection: {
      Algorithm: 'LATEST_WITHIN_WINDOW',
      IncludeVaults: ['LocalVault.BackupVaultArn'],
    },
  })
  expect(production.RestoredTables.Properties).toMatchObject({
    RestoreTestingPlanName: 'RestoreTest',
    IamRoleArn: 'RestoreRole.Arn',
    ProtectedResourceArns: ['*'],
    // SST tags its tables. A command makes that of the signing keys.
    ProtectedResourceConditions: {
      StringEquals: [{ Key: 'aws:ResourceTag/sst:app', Value: 'embed-access' }],
    },
  })
})
