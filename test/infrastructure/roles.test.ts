import { expect, test } from 'vitest'
import {
  allowing,
  compared,
  deployStatements,
  type Environment,
  environments,
  everything,
  type Given,
  production,
  resourcesOf,
  statementsIn,
} from './account-template.ts'
import { neededBy, neededInBoundary, neededToDeploy, neededToPlan } from './needed.ts'
import { arn } from './suite.ts'

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
    expect(
      reached.filter((each) => !/^sns:Publish .*:eu-central-1:999999999999:/.test(each)),
    ).toEqual([])
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
