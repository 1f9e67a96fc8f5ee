import { expect, test } from 'vitest'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'
import { alarmsOf, inAlarm, periodOf } from './alarms.ts'
import { type Inputs, stageOf, testMonitored } from './suite.ts'

testMonitored(
  'an alarm compares one value, and without values it stops or a daily one stays',
  (stage) => {
    for (const { name, metricQueries, ...alarm } of alarmsOf(stage)) {
      // A certificate that has ended has no days left to measure. A key that signs nothing is no
      // younger.
      const treatMissingData = /(CertificateExpiry|SigningKeyAge)$/.test(name)
        ? 'ignore'
        : 'notBreaching'
      const above = { comparisonOperator: 'GreaterThanThreshold', treatMissingData }
      expect(alarm, name).toMatchObject(above)
      if (/Budget/.test(name))
        expect(alarm, name).toMatchObject({ evaluationPeriods: 1, datapointsToAlarm: 1 })
      const results = metricQueries.filter(({ returnData }: Inputs) => returnData)
      expect(results, name).toHaveLength(1)
      const [{ expression, label = name }] = results
      expect(name).toContain(label)
      // AWS only takes queries with groups in this form.
      const ofGroups = /^SELECT SUM\(\w+\) FROM .* GROUP BY \w+ ORDER BY SUM\(\) DESC$/
      const ids = metricQueries.flatMap(({ id, metric }: Inputs) => (metric ? [id] : []))
      if (ids.length === 0) expect(expression, name).toMatch(ofGroups)
      // AWS takes no more.
      expect(ids.length, name).toBeLessThanOrEqual(10)
      if (ids.length === 0 || !expression) continue
      const named = ids.map((id: string) => id.replace(/\d+$/, ''))
      expect(new Set(expression.match(/\b[a-z]\w*/g)), name).toEqual(new Set(named))
    }
  },
)

/** Numbers of its metrics with which an alarm rings, and with which it must not. */
const rung: Readonly<Record<string, readonly [rings: Inputs[], silent: Inputs[]]>> = {
  FailedRequests: [
    [{ failed: 5, all: 499 }],
    [
      { failed: 5, all: 500 },
      { failed: 4, all: 4 },
      { failed: 0, all: 0 },
    ],
  ],
  AllRequestsFail: [
    [{ failed: 1, good: 0 }],
    [
      { failed: 1, good: 1 },
      { failed: 0, good: 0 },
    ],
  ],
  SlowRequests: [[{ p99: 2001 }], [{ p99: 2000 }]],
  RefusedRedemptions: [
    [
      { refused: 20, redeemed: 19 },
      { refused: 1001, redeemed: 1000 },
    ],
    [
      { refused: 20, redeemed: 20 },
      { refused: 19, redeemed: 0 },
      { refused: 0, redeemed: 0 },
    ],
  ],
  ThrottledRequests: [[{ throttled: 11 }], [{ throttled: 10 }]],
  AuthorizerFailures: [[{ failures: 1 }], [{ failures: 0 }]],
  SigningKeyAge: [[{ days: 41 }], [{ days: 40 }]],
  CatalogBehind: [[{ age: 301 }], [{ age: 300 }]],
  DeadCatalogChanges: [[{ dead: 1 }], [{ dead: 0 }]],
  RefusedCatalogChanges: [[{ refused: 11 }], [{ refused: 10 }]],
  // 100 of 1,000 are reserved, and so always taken.
  Concurrency: [[{ taken: 821 }], [{ taken: 820 }]],
  CertificateExpiry: [[{ days: 20 }], [{ days: 21 }]],
  ...Object.fromEntries(
    ['ExchangeBudget', 'SessionsBudget'].flatMap((name) =>
      ['Long', 'Short'].flatMap((window) => [
        [
          name + window,
          [
            [{ failed: 2, all: 138 }],
            [
              { failed: 2, all: 139 },
              { failed: 1, all: 1 },
            ],
          ],
        ],
        [`${name}Slowly${window}`, [[{ failed: 2, all: 333 }], [{ failed: 2, all: 334 }]]],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['Long', 'Short'].flatMap((window) => [
      [
        `ListsBudget${window}`,
        [
          [{ slow: 2, list0: 0, list1: 14.5 }],
          [
            { slow: 2, list0: 14.4, list1: 14.4 },
            { slow: 1, list0: 100, list1: 0 },
          ],
        ],
      ],
      [
        `ListsBudgetSlowly${window}`,
        [[{ slow: 2, list0: 6.1, list1: 0 }], [{ slow: 2, list0: 6, list1: 6 }]],
      ],
    ]),
  ),
}

/** The metric and statistic behind each name in an alarm's expression. */
const numbers: Readonly<Record<string, readonly string[]>> = {
  failed: ['5xx Sum', 'CallersFailures Sum'],
  all: ['Count Sum'],
  good: ['CallersSuccesses Sum'],
  p99: ['Latency p99'],
  slow: ['Latency TC(2000:)'],
  list: ['Latency PR(2000:)'],
  refused: ['RedemptionsRefused Sum', 'changesRefused Sum'],
  redeemed: ['SessionsRedeemed Sum'],
  throttled: ['ThrottledRequests Sum'],
  failures: ['AuthorizerFailures Sum'],
  days: ['signingKeyDays Maximum', 'DaysToExpiry Minimum'],
  age: ['ApproximateAgeOfOldestMessage Maximum'],
  dead: ['ApproximateNumberOfMessagesVisible Maximum'],
  taken: ['ClaimedAccountConcurrency Maximum'],
}

/** What an alarm over groups sums up. */
const sums: Readonly<Record<string, string>> = {
  FailingRoute: 'SUM(RouteFailures) FROM SCHEMA("embed-access/STAGE", RouteKey) GROUP BY RouteKey',
  FailedAudit: 'SUM(DeliveryErrors) FROM "AWS/Logs" GROUP BY LogGroupName',
  ThrottledAudit: 'SUM(DeliveryThrottling) FROM "AWS/Logs" GROUP BY LogGroupName',
  ThrottledFunctions:
    'SUM(Throttles) FROM SCHEMA("AWS/Lambda", FunctionName) GROUP BY FunctionName',
  ThrottledReads: 'SUM(ReadThrottleEvents) FROM "AWS/DynamoDB" GROUP BY TableName',
  ThrottledWrites: 'SUM(WriteThrottleEvents) FROM "AWS/DynamoDB" GROUP BY TableName',
}

/** How the ids of a budget's routes begin. Other alarms are about all routes. */
const budgeted: Readonly<Record<string, string>> = {
  Exchange: 'exchange-session',
  Sessions: 'generate-session',
  Lists: 'list-',
}

testMonitored('each number of an alarm is the metric of its name, of its own routes', (stage) => {
  for (const { name, metricQueries } of alarmsOf(stage)) {
    const [, budget = ''] = /(\w+)Budget/.exec(name) ?? []
    const found = inAlarm({ metricQueries }).flatMap(
      ({ stat, dimensions: { Method, Resource } }) =>
        Resource || (budget && !stat.startsWith('TC')) ? `${Method} ${Resource}` : [],
    )
    const wanted = routes.filter(({ id }) => budget && id.startsWith(budgeted[budget] ?? ''))
    expect(new Set(found), name).toEqual(new Set(wanted.map(routeKeyOf)))
    for (const { id, metric, expression = '' } of metricQueries) {
      const [, summed] = /^SELECT (.*) ORDER BY/.exec(expression) ?? []
      if (summed)
        expect(summed.replace(`/${stage.physical}"`, '/STAGE"'), name).toBe(
          sums[name.slice(stage.prefix.length)],
        )
      if (metric)
        expect(numbers[id.replace(/\d+$/, '')] ?? numbers[id], `${name}: ${id}`).toContain(
          `${metric.metricName} ${metric.stat}`,
        )
    }
  }
})

/** Metric math, as far as the alarms use it. */
function calculated(expression: string, numbers: Inputs): number {
  const javascript = expression
    .replaceAll('IF(', 'choose(')
    .replaceAll(' AND ', ' && ')
    .replaceAll('==', '===')
    .replace('MAX(METRICS("list"))', 'Math.max(list0, list1)')
  const choose = (when: boolean, then: number, otherwise: number) => (when ? then : otherwise)
  const names = Object.keys(numbers)
  return new Function('choose', ...names, `return ${javascript}`)(choose, ...Object.values(numbers))
}

test('every alarm rings with numbers that must ring, and with no others', () => {
  const alarms = alarmsOf(stageOf('own')).map(({ name, ...alarm }): [string, Inputs] => [
    name.split('-').at(-1),
    alarm,
  ])
  expect(alarms.map(([name]) => name).sort()).toEqual(
    [...Object.keys(rung), ...Object.keys(sums)].sort(),
  )
  for (const [name, { threshold, metricQueries }] of alarms) {
    const [rings, silent] = rung[name] ?? [[], []]
    const { id, expression = id } = metricQueries.find(({ returnData }: Inputs) => returnData)
    const above = (numbers: Inputs) => calculated(expression, numbers) > threshold
    expect([rings.map(above), silent.map(above)], name).toEqual([
      rings.map(() => true),
      silent.map(() => false),
    ])
    if (name in sums) expect(threshold).toBe(0)
  }
  const budgets = ['ExchangeBudget', 'SessionsBudget', 'ListsBudget'].map((budget) =>
    ['Long', 'Short', 'SlowlyLong', 'SlowlyShort'].map((window) =>
      alarms.flatMap(([name, alarm]) => (name === budget + window ? periodOf(alarm) : [])),
    ),
  )
  expect(budgets).toEqual(Array(3).fill([[3600], [300], [21_600], [1800]]))
})
