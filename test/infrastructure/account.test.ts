import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { boundaryName, environmentOf, keyAlias } from '../../stacks/names.ts'
import {
  type Environment,
  environments,
  everything,
  outputs,
  parameters,
  production,
  resourcesOf,
  written,
} from './account-template.ts'

const templateText = readFileSync('stacks/account.yml', 'utf8')

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

// `sst-state*` would reach `sst-stateful`.
test('a part of a name that anything may follow ends there', () => {
  const resources = templateText.match(/arn:aws:[^\s'\]]+/g) ?? []
  const open = resources.flatMap((each) => each.match(/[^:/-]+\*|\*[^:/-]+/g) ?? [])
  const meant = '*Table *catalog *embed *signing apis* changes* domainnames* session*'
  expect([...new Set(open)].sort().join(' ')).toBe(meant)
})

// AWS makes the names of these, and topics, destinations and backups have those of others.
test('only resources of these types may have any name', () => {
  const text = templateText.replaceAll(/[${}]/g, '')
  const any = text.match(/(?<=arn:aws:[^\s'\]]*[:/])[^\s'\]:/]*[:/]\*(?=[\s'\]])/g) ?? []
  expect([...new Set(any)].sort()).toEqual([
    ...['*:*', 'Environment/*', 'backup/*', 'cache-policy/*', 'certificate/*'],
    ...['contributorinsights.dynamodb.amazonaws.com/*', 'delivery:*', 'destination:*'],
    ...['distribution/*', 'event-source-mapping:*', 'healthcheck/*'],
    ...['ops.apigateway.amazonaws.com/*', 'tags/*'],
  ])
})

test('the key of the signing keys rotates itself and outlives the stack', () => {
  expect(resourcesOf('production').SigningKeysKey).toMatchObject({
    DeletionPolicy: 'Retain',
    UpdateReplacePolicy: 'Retain',
    Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 },
  })
})

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
