import { readFileSync } from 'node:fs'
import { parse, type Tags, type YAMLSeq } from 'yaml'
import { arn, type StageName } from './suite.ts'

/*
 * stacks/account.yml, worked out as CloudFormation does it, and held against what the deployment makes: each role can do what
 * it is for, and not more than that.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type Statement = {
  readonly Sid: string
  readonly Effect: string
  readonly Action: readonly string[]
  readonly Resource: readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

/** @example `!Sub text` // { 'Fn::Sub': 'text' }, which is the same to CloudFormation */
const shortFunctions: Tags = ['Sub', 'Ref', 'GetAtt', 'If', 'Not', 'And', 'Equals', 'Join', 'Condition'].flatMap(
  (name) => {
    const key = name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`
    const long = (argument: unknown) => ({ [key]: argument })
    return [
      { tag: `!${name}`, resolve: (text: string) => long(name === 'GetAtt' ? text.split('.') : text) },
      { tag: `!${name}`, collection: 'seq', resolve: (list) => long((list as YAMLSeq).toJSON()) },
    ]
  },
)

export const template = parse(readFileSync('stacks/account.yml', 'utf8'), { customTags: shortFunctions }) as {
  Parameters: Record<string, { Default?: string }>
  Conditions: Record<string, Json>
  Resources: Record<string, { Type: string; Condition?: string; DeletionPolicy?: string; Properties: Json }>
}

type Environment = 'production' | 'staging' | 'pr'

/** The resources of an environment with all functions of CloudFormation worked out. */
export function resourcesOf(environment: Environment, given: Readonly<Record<string, string>> = {}) {
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
        case 'Fn::If': {
          const [condition, yes, no] = argument as readonly [string, Json, Json]
          return value(holds(condition) ? yes : no)
        }
        case 'Fn::Sub':
          return (argument as string).replaceAll(/\$\{([\w:]+)\}/g, (_, name: string) => String(ref(name)))
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
export const statementsOf = (document: any): Statement[] =>
  document.Statement.map((statement: Statement) => ({
    ...statement,
    Action: listOf(statement.Action),
    Resource: listOf(statement.Resource),
  }))

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

export const physical: Readonly<Record<Environment, string>> = {
  production: 'production',
  staging: 'staging',
  pr: 'pr-7',
}
export const stageOf: Readonly<Record<Environment, StageName>> = {
  production: 'production',
  staging: 'staging',
  pr: 'preview',
}
export const environments = ['production', 'staging', 'pr'] as const

export const deployStatements = (environment: Environment, given?: Readonly<Record<string, string>>): Statement[] => {
  const resources = resourcesOf(environment, given)
  const policies: string[] = resources.DeployRole?.Properties.ManagedPolicyArns
  return policies.flatMap((policy) => statementsOf(resources[policy]?.Properties.PolicyDocument))
}
