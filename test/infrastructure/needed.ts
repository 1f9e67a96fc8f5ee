import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Environment, Need } from './account-template.ts'
import { evaluated, type Inputs, type StageName, shortType } from './suite.ts'

/** Actions on a resource, `{ 'arn:…': 'dynamodb GetItem PutItem' }`, and on what condition. */
type Call = Readonly<Record<string, string>> & { readonly when?: object }
type ByName = Readonly<Record<string, readonly Call[]>>

const file = readFileSync('test/infrastructure/calls.yml', 'utf8')
const whole = file
  .replaceAll('HERE', 'eu-central-1:ACCOUNT')
  .replaceAll('ACCOUNT', '123456789012')
  .replaceAll('TAGS', 'ListTagsForResource TagResource UntagResource')
const calls = parse(whole) as {
  readonly [part in 'making' | 'lookingUp' | 'roles']: ByName
} & { readonly [part in 'reading' | 'zone' | 'writing' | 'demo' | 'previews']: readonly Call[] }

const needsOf = (calls: readonly Call[]): Need[] =>
  calls.flatMap(({ when, ...actions }) =>
    Object.entries(actions).flatMap(([resource, text]) => {
      const [service, ...names] = text.split(' ')
      return names.map((name) => ({
        action: `${service}:${name}`,
        resource,
        ...(when && { condition: when }),
      }))
    }),
  )

const missing = (what: string): Call[] => [{ '*': `calls.yml lacks:${what}` }]

/** The stages whose resources a role of each environment makes: by all settings. */
const evaluatedFor: Readonly<Record<Environment, readonly StageName[]>> = {
  production: ['production', 'own', 'edge'],
  staging: ['staging', 'production', 'own', 'edge'],
  pr: ['preview'],
}

/** Needs of a stage with the environment's name, and of one whose name begins with it. */
function ofEnvironment(
  environment: Environment,
  calls: readonly Call[],
  region = 'eu-central-1',
): Need[] {
  const text = JSON.stringify(needsOf(calls))
    .replaceAll('ENVIRONMENT', environment)
    .replaceAll('REGION', region)
  return [environment, `${environment}-7`].flatMap((stage) =>
    JSON.parse(text.replaceAll('STAGE', stage)),
  )
}

const once = (needs: readonly Need[]): Need[] => [
  ...new Map(needs.map((need) => [JSON.stringify(need), need])).values(),
]

export function neededToPlan(environment: Environment): Need[] {
  const lookUps = new Set(evaluatedFor[environment].flatMap((stage) => evaluated[stage].lookUps))
  return once(
    ofEnvironment(environment, [
      ...calls.reading,
      ...[...lookUps].flatMap((token) => calls.lookingUp[token] ?? missing(token)),
      ...(environment === 'pr' ? [] : calls.zone),
    ]),
  )
}

export function neededToDeploy(environment: Environment): Need[] {
  const made = evaluatedFor[environment].flatMap((stage) =>
    evaluated[stage].resources.flatMap(({ type, provider }) =>
      /^aws:|dynamic/.test(type) ? `${shortType(type)} ${provider && 'us-east-1'}` : [],
    ),
  )
  return once([
    ...neededToPlan(environment),
    ...[...new Set(made)].flatMap((each) => {
      const [type = '', region] = each.split(' ')
      return ofEnvironment(environment, calls.making[type] ?? missing(type), region || undefined)
    }),
    ...ofEnvironment(environment, [
      ...calls.writing,
      ...(environment === 'production' ? [] : calls.demo),
      ...(environment === 'pr' ? calls.previews : []),
    ]),
  ])
}

export const neededBy = (role: string, environment: Environment): Need[] =>
  ofEnvironment(environment, calls.roles[role] ?? missing(role))

/** What the roles that the deployment makes may do, as far as any of them needs it. */
export function neededInBoundary(environment: Environment): Need[] {
  const calls = evaluatedFor[environment].flatMap((stage) =>
    evaluated[stage].resources.flatMap(({ type, inputs: { inlinePolicies = [] } }) =>
      type === 'aws:iam/role:Role' ? inlinePolicies.flatMap(statementsOf) : [],
    ),
  )
  return JSON.parse(
    JSON.stringify(calls).replaceAll(
      /embed-access-(production|staging|pr-7)-/g,
      `embed-access-${environment}-`,
    ),
  )
}

const statementsOf = ({ policy }: Inputs): Need[] =>
  policy.Statement.flatMap(({ Action, Resource }: Inputs) =>
    [Action].flat().flatMap((action: string) =>
      // The mock's key is not the template's.
      action === 'kms:Decrypt'
        ? needsOf(calls.lookingUp['aws:dynamodb/getTableItem'] ?? []).slice(1)
        : [Resource].flat().map((resource: string) => ({ action, resource })),
    ),
  )
