import { expect, test } from 'vitest'
import { evaluated, type Inputs, type StageName, shortType, stageOf } from './suite.ts'

/** AWS keeps them for the whole account, in no region. */
const global = /^(iam|cloudfront|budgets):|^(cloudwatch:Dashboard|route53:HealthCheck)$/

/** They are named within another resource, or by the domain. */
const within = ['apigatewayv2:Stage', 'route53:Record']

const nameIn = (of: Inputs): string | undefined =>
  of.name ?? of.alarmName ?? of.dashboardName ?? of.ruleName ?? of.tags?.Name

test.each(Object.keys(evaluated) as StageName[])(
  '%s: a stage of another name or region has no name in common',
  (stage) => {
    const { resources, physical } = stageOf(stage)
    const named = resources.flatMap(({ type, provider, inputs }) => {
      const name = type.startsWith('aws:') ? nameIn(inputs) : undefined
      const short = shortType(type)
      return name && !within.includes(short) ? [{ name, type: short, provider }] : []
    })
    const ofOtherStages = named.filter(({ name }) => !name.includes(`embed-access-${physical}`))
    // SST's letters differ in each region.
    const ofOtherRegions = named.filter(
      ({ name, type, provider }) =>
        (global.test(type) || provider) && !/-(eu-central-1|bdvfbzta)$/.test(name),
    )
    expect({ ofOtherStages, ofOtherRegions }).toEqual({ ofOtherStages: [], ofOtherRegions: [] })
  },
)
