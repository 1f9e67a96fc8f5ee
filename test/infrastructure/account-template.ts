import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, type Tags, type YAMLSeq } from 'yaml'
import { arn } from './suite.ts'

/*
 * stacks/account.yml, worked out as CloudFormation does it.
 */

const names = ['Ref', 'Sub', 'GetAtt', 'If', 'Not', 'And', 'Equals', 'Join', 'Condition']

/** A call of one of CloudFormation's functions. Each takes arguments of its own. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Call = { readonly called: string; readonly argument: any }

const customTags: Tags = names.flatMap((name) => [
  { tag: `!${name}`, resolve: (argument: string) => ({ called: name, argument }) },
  {
    tag: `!${name}`,
    collection: 'seq',
    resolve: (list) => ({ called: name, argument: (list as YAMLSeq).toJSON() }),
  },
])

const template = parse(readFileSync('stacks/account.yml', 'utf8'), { customTags }) as {
  Parameters: Record<string, { Type: string; Default?: string; AllowedValues?: readonly string[] }>
  Conditions: Record<string, Call>
  Resources: Record<string, { Condition?: string; Properties: unknown }>
  Outputs: Record<string, { Condition?: string; Value: Call }>
}

export const { Outputs: outputs, Parameters: parameters, Resources: written } = template

export type Environment = 'production' | 'staging' | 'pr'
export type Given = Readonly<Record<string, string>>

/** All that an environment may be given. */
export const everything: Given = {
  PlanSubjects: 'repo:org/repo:environment:plan-production',
  KeySubjects: 'repo:org/repo:environment:keys-production',
  KeyHolders: arn('iam', 'user/ada', ''),
  HostedZone: 'Z1',
  Edge: 'on',
  BackupVault: 'arn:aws:backup:eu-central-1:999999999999:backup-vault:copies',
}

// biome-ignore lint/suspicious/noExplicitAny: properties of any resource
type Resources = Record<string, any>

export function resourcesOf(environment: Environment, given: Given = {}): Resources {
  const values: Given = {
    'AWS::Region': 'eu-central-1',
    'AWS::AccountId': '123456789012',
    Environment: environment,
    Subjects: `repo:org/repo:environment:${environment}`,
    Operators: arn('iam', 'role/people', ''),
    ...given,
  }
  for (const name in values)
    if (!(name in template.Parameters || name.startsWith('AWS::')))
      throw new Error(`no parameter ${name}`)
  for (const [name, { AllowedValues, Default }] of Object.entries(template.Parameters)) {
    const allowed = AllowedValues?.includes(values[name] ?? Default ?? '') ?? true
    if (!allowed) throw new Error(`${name} may not be ${values[name]}`)
  }
  const gone = Symbol('AWS::NoValue')
  const ref = (name: string) => {
    if (name === 'AWS::NoValue') return gone
    if (name in template.Resources) return name
    const { Type: type = 'String', Default } = template.Parameters[name] ?? {}
    const found = values[name] ?? Default
    if (found === undefined) throw new Error(`no parameter ${name}`)
    if (type === 'CommaDelimitedList') return found.split(',')
    if (type !== 'String') throw new Error(`no type ${type}`)
    return found
  }
  const holds = (name: string) => {
    const condition = template.Conditions[name]
    if (!condition) throw new Error(`no condition ${name}`)
    return value(condition) === true
  }
  const result = ({ called: name, argument }: Call): unknown => {
    if (name === 'Ref') return ref(argument)
    if (name === 'Sub')
      return argument.replaceAll(/\$\{([\w:]+)\}/g, (_: string, name: string) => String(ref(name)))
    if (name === 'GetAtt') {
      const [resource, attribute] = argument.split('.')
      if (!(resource in template.Resources && /^(Arn|BackupVaultArn)$/.test(attribute)))
        throw new Error(`nothing has ${argument}`)
      return argument
    }
    if (name === 'Condition') return holds(argument)
    if (name === 'If') return value(holds(argument[0]) ? argument[1] : argument[2])
    const [first, second] = argument.map(value)
    if (name === 'Join') return second.join(first)
    if (name === 'Not') return !first
    return name === 'And' ? first && second : first === second
  }
  const value = (of: unknown): unknown => {
    if (Array.isArray(of)) return of.map(value).filter((each) => each !== gone)
    if (typeof of !== 'object' || of === null) return of
    if ('called' in of) return result(of as Call)
    return Object.fromEntries(Object.entries(of).map(([key, each]) => [key, value(each)]))
  }
  const resources = Object.entries(template.Resources)
  const made = resources.filter(([, { Condition }]) => Condition === undefined || holds(Condition))
  return value(Object.fromEntries(made)) as Resources
}

export const environments: readonly (readonly [Environment, stage: string])[] = [
  ['production', 'production'],
  ['staging', 'staging'],
  ['pr', 'pr-7'],
]

export const production = resourcesOf('production', everything)

type Statement = {
  readonly Effect: string
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: object
}

// biome-ignore lint/suspicious/noExplicitAny: a policy as it is written
const statementsOf = ({ PolicyDocument }: any): Statement[] =>
  PolicyDocument.Statement.map(({ Action, Resource, ...others }: Record<string, string>) => ({
    ...others,
    Action: [Action].flat(),
    Resource: [Resource].flat(),
  }))

/** What a role may do by its own policy and by those that it names, or what a policy allows. */
export function statementsIn(resources: Resources, name: string): Statement[] {
  const { Policies = [], ManagedPolicyArns = [], PolicyDocument } = resources[name].Properties
  if (PolicyDocument) return statementsOf(resources[name].Properties)
  return [
    ...Policies,
    // AWS's own policies say nothing here.
    ...ManagedPolicyArns.flatMap((each: string) => resources[each]?.Properties ?? []),
  ].flatMap(statementsOf)
}

export const deployStatements = (environment: Environment, given?: Given): Statement[] =>
  statementsIn(resourcesOf(environment, given), 'DeployRole')

export function matches(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text
  const expression = pattern.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${expression}$`).test(text)
}

/** The statements that allow an action on a resource, whatever their conditions. */
export const allowing = (
  statements: readonly Statement[],
  action: string,
  resource: string,
): Statement[] =>
  statements.filter(
    (statement) =>
      statement.Effect === 'Allow' &&
      statement.Action.some((each) => matches(each, action)) &&
      statement.Resource.some((each) => matches(each, resource)),
  )

/** An action that a role needs on a resource, on exactly this condition. */
export type Need = {
  readonly action: string
  readonly resource: string
  readonly condition?: object | undefined
}

const covers = (statement: Statement, { action, resource, condition }: Need): boolean =>
  isDeepStrictEqual(statement.Condition, condition) &&
  allowing([statement], action, resource).length > 0

/**
 * The same of another stage, account or region, as far as the resource says one. A stage's name may
 * begin with that of another: production does, with pr.
 */
const elsewhere = ({ resource, ...need }: Need): Need[] =>
  [
    resource.replaceAll(/embed-access([-/])(production|staging|pr)\b/g, 'embed-access$1foreign'),
    resource.replaceAll(/embed-access([-/])(production|staging|pr)\b/g, '$&oduction'),
    resource.replace('123456789012', '999999999999'),
    resource.replace(/:(eu-central|us-east)-1:/, ':ap-south-1:'),
    resource.replace(/(?<=spending-)eu-central-1$/, 'ap-south-1'),
    resource.replace('Z1', 'Z2'),
  ].flatMap((other) => (other === resource ? [] : { ...need, resource: other }))

/** What statements lack, what they have that nobody needs, and what they reach of others. */
export function compared(statements: readonly Statement[], needs: readonly Need[]) {
  const unneeded = statements.flatMap((statement) => {
    const used = needs.filter((need) => covers(statement, need))
    return [
      ...statement.Action.filter((each) => !used.some(({ action }) => matches(each, action))),
      // Every resource is only for what takes no narrower one.
      ...statement.Resource.filter(
        (each) =>
          !used.some(({ resource }) =>
            each === '*' ? resource === each : matches(each, resource),
          ),
      ),
    ]
  })
  const allowed = (need: Need) =>
    statements.some((statement) => allowing([statement], need.action, need.resource).length > 0)
  return {
    effects: [...new Set(statements.map(({ Effect }) => Effect))],
    missing: needs.filter((need) => !statements.some((statement) => covers(statement, need))),
    unneeded,
    reached: needs
      .flatMap(elsewhere)
      .filter(allowed)
      .map(({ action, resource }) => `${action} ${resource}`),
  }
}
