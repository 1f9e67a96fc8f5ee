import * as vitest from 'vitest'
import type { Resource } from './evaluate.ts'
import type { Stages } from './stages.ts'

/*
 * What a test of an evaluated stage is written with. All of it comes from here, so that the tests can be run once more over a
 * stage that something was changed in (changed-stages.test.ts).
 */

/** A run of the tests over one stage that something was changed in. */
export type Rerun = {
  readonly stages: Stages
  readonly stage: StageName
  readonly describe: typeof vitest.describe
  readonly test: typeof vitest.test
}

const { rerun } = globalThis as { rerun?: Rerun }

export const { describe, test } = rerun ?? vitest
export const { expect } = vitest

export const stages: Stages = rerun?.stages ?? vitest.inject('stages')

export type StageName = keyof Stages

export const stageNames = rerun ? [rerun.stage] : (Object.keys(stages) as StageName[])

/** The name of the stage as AWS sees it. */
export const physicalStage: Readonly<Record<StageName, string>> = {
  production: 'production',
  staging: 'staging',
  preview: 'pr-7',
  own: 'production',
}

export const isProduction = (name: StageName): boolean => physicalStage[name] === 'production'

/** Whether people rely on the stage. */
export const isMonitored = (name: StageName): boolean => name !== 'preview'

export const urls: Readonly<Record<StageName, string>> = {
  production: 'https://api.example.com',
  staging: 'https://gateway.execute-api.eu-central-1.amazonaws.com',
  preview: 'https://gateway.execute-api.eu-central-1.amazonaws.com',
  own: 'https://api.example.com',
}

/** The resources of a type, as in `aws:lambda/function:Function`. */
export const ofType = (stage: StageName, type: string): Resource[] =>
  stages[stage].resources.filter((resource) => resource.type === type)

/** @throws Error unless there is exactly one */
export function only(stage: StageName, type: string): Resource {
  const found = ofType(stage, type)
  if (found.length !== 1) throw new Error(`${stage} has ${found.length} of ${type}`)
  return found[0] as Resource
}

/** @throws Error unless there is one of that name */
export function named(stage: StageName, type: string, name: string): Resource {
  const found = ofType(stage, type).find((resource) => resource.name === name)
  if (!found) throw new Error(`${stage} has no ${type} ${name}`)
  return found
}

/** A name that SST ends with letters of its own. */
export const sstName = (stage: StageName, name: string) =>
  expect.stringMatching(new RegExp(`^embed-access-${physicalStage[stage]}-${name}-[a-z]{8}$`))

export const arn = (service: string, rest: string, region = 'eu-central-1'): string =>
  `arn:aws:${service}:${region}:123456789012:${rest}`

export const queueUrl = (stage: StageName, name: string): string =>
  `https://sqs.eu-central-1.amazonaws.com/123456789012/embed-access-${physicalStage[stage]}-${name}`

/** @example component('list-dbt-syncs') // 'ListDbtSyncs' */
export const component = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
