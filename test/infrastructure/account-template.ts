import { readFileSync } from 'node:fs'
import { parse, type Tags, type YAMLSeq } from 'yaml'
import { arn } from './suite.ts'

/*
 * stacks/account.yml, worked out as CloudFormation does it.
 */

type Context = {
  ref(name: string): unknown
  holds(condition: string): boolean
  /** What is within a function is worked out too. */
  value(of: unknown): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: each function takes arguments of its own
const functions: Readonly<Record<string, (argument: any, context: Context) => unknown>> = {
  Ref: (name, { ref }) => ref(name),
  Sub: (text: string, { ref }) => text.replaceAll(/\$\{([\w:]+)\}/g, (_, name: string) => String(ref(name))),
  GetAtt: (attribute) => attribute,
  If: ([condition, yes, no], { holds, value }) => value(holds(condition) ? yes : no),
  Not: ([one], { value }) => !value(one),
  And: (all: unknown[], { value }) => all.every((each) => value(each)),
  Equals: ([one, other], { value }) => value(one) === value(other),
  Join: ([, list], { value }) => value(list),
  Condition: (name, { holds }) => holds(name),
}

type Later = (context: Context) => unknown

const customTags: Tags = Object.entries(functions).flatMap(([name, work]) => {
  const later =
    (argument: unknown): Later =>
    (context) =>
      work(argument, context)
  return [
    { tag: `!${name}`, resolve: later },
    { tag: `!${name}`, collection: 'seq', resolve: (list) => later((list as YAMLSeq).toJSON()) },
  ]
})

const template = parse(readFileSync('stacks/account.yml', 'utf8'), { customTags }) as {
  Parameters: Record<string, { Default?: string }>
  Conditions: Record<string, Later>
  Resources: Record<string, { Condition?: string; Properties: unknown }>
}

export type Environment = 'production' | 'staging' | 'pr'
export type Given = Readonly<Record<string, string>>

// biome-ignore lint/suspicious/noExplicitAny: properties of any resource
type Resources = Record<string, any>

/** The resources of an environment. */
export function resourcesOf(environment: Environment, given: Given = {}): Resources {
  const parameters: Given = {
    'AWS::Region': 'eu-central-1',
    'AWS::AccountId': '123456789012',
    Environment: environment,
    Subjects: `repo:org/repo:environment:${environment}`,
    Operators: arn('iam', 'role/people', ''),
    ...given,
  }
  const gone = Symbol('AWS::NoValue')
  const context: Context = {
    ref(name) {
      if (name === 'AWS::NoValue') return gone
      if (name in template.Resources) return name
      const value = parameters[name] ?? template.Parameters[name]?.Default
      if (value === undefined) throw new Error(`no parameter ${name}`)
      return value
    },
    holds: (condition) => context.value(template.Conditions[condition]) as boolean,
    value(of) {
      if (typeof of === 'function') return of(context)
      if (Array.isArray(of)) return of.map(context.value).filter((each) => each !== gone)
      if (typeof of !== 'object' || of === null) return of
      return Object.fromEntries(Object.entries(of).map(([key, each]) => [key, context.value(each)]))
    },
  }
  const resources = Object.entries(template.Resources)
  const made = resources.filter(([, { Condition }]) => Condition === undefined || context.holds(Condition))
  return context.value(Object.fromEntries(made)) as Resources
}

export type Statement = {
  readonly Sid: string
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
  return [...Policies, ...ManagedPolicyArns.map((each: string) => resources[each].Properties)].flatMap(statementsOf)
}

export const deployStatements = (environment: Environment, given?: Given): Statement[] =>
  statementsIn(resourcesOf(environment, given), 'DeployRole')

export const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*')}$`).test(text)

/** The statements that allow an action on a resource, whatever their conditions. */
export const allowing = (statements: readonly Statement[], action: string, resource: string): Statement[] =>
  statements.filter(
    (statement) =>
      statement.Effect === 'Allow' &&
      statement.Action.some((each) => matches(each, action)) &&
      statement.Resource.some((each) => matches(each, resource)),
  )
