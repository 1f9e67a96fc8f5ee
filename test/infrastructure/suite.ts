import { inject, test } from 'vitest'
import type { Inputs } from './mocks.ts'
import type { Evaluation, Stages } from './stages.ts'

export { componentName as component } from '../../stacks/names.ts'
export type { Inputs }

export type StageName = keyof Stages

/** What the real config makes of each stage. */
export const evaluated: Readonly<Record<StageName, Evaluation>> = inject('stages')

/** People rely on them, so they have alarms and a dashboard. */
const monitored: readonly StageName[] = ['production', 'staging', 'own']

export const testMonitored = (name: string, body: (stage: Stage) => void, of = monitored): void =>
  test.each(of)(`%s: ${name}`, (stage) => body(stageOf(stage)))

/** A test of each stage. Of the stage with an edge, edge.test.ts says what is different. */
export const testStages = (name: string, body: (stage: Stage) => void): void =>
  testMonitored(name, body, [...monitored, 'preview'])

export type Stage = ReturnType<typeof stageOf>

export function stageOf(name: StageName) {
  const physical = name === 'preview' ? 'pr-7' : name === 'staging' ? 'staging' : 'production'
  const isProduction = physical === 'production'
  const prefix = `embed-access-${physical}-`
  const { app, resources, outputs } = evaluated[name]
  return {
    name,
    /** As AWS sees it. */
    physical,
    prefix,
    isProduction,
    isMonitored: monitored.includes(name),
    /** Whether it has settings for what others do without. */
    isOwn: name === 'own',
    /** Whether a setting keeps instances of the function ready, because page views wait for it. */
    isProvisioned: (lambda: string) =>
      name === 'own' && ['authorizer', 'exchange-session'].includes(lambda),
    url: isProduction
      ? 'https://api.example.com'
      : 'https://gateway.execute-api.eu-central-1.amazonaws.com',
    app,
    resources,
    outputs,
    /** A name that SST ends with letters of its own. */
    sstName: (component: string) => `${prefix}${component}-${sstLetters}`,
    /**
     * The inputs of all resources of a type by name.
     * @example made('sqs:Queue') // { CatalogChanges: { name: 'embed-access-pr-7-catalog-changes' }
     * }
     */
    made: (type: string): Record<string, Inputs> =>
      Object.fromEntries(
        resources
          .filter((each) => shortType(each.type) === type)
          .map(({ name, inputs }) => [name, inputs]),
      ),
  }
}

/** Random, but for the evaluation of a test. */
const sstLetters = 'bdvfbzta'

/** @example shortType('aws:sqs/queue:Queue') // 'sqs:Queue' */
export const shortType = (type: string): string => type.replace(/^aws:(\w+)\/.*:/, '$1:')

export const arn = (service: string, rest: string, region = 'eu-central-1'): string =>
  `arn:aws:${service}:${region}:123456789012:${rest}`
