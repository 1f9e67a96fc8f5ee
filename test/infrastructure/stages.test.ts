import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerOf, settingsOf } from '../../stacks/settings.ts'
import { evaluate, ownSettings, productionSettings } from './stages.ts'
import { testStages } from './suite.ts'

testStages('whatever names the id of another resource is made after it', ({ resources }) => {
  const byId = new Map(
    resources.filter(({ type }) => type.startsWith('aws:')).map((each) => [`${each.name}Id`, each]),
  )
  const early = [...byId.values()].flatMap((resource) => {
    const ids = JSON.stringify(resource.inputs).match(/\b\w+Id\b(?!\\*":)/g) ?? []
    const others = ids.flatMap((id) => byId.get(id) ?? []).filter((other) => other !== resource)
    return others
      .filter(({ name }) => !resource.after.includes(name))
      .map(({ name }) => `${resource.name}: ${name}`)
  })
  expect(early).toEqual([])
})

testStages(
  'the app is of the pinned version, and kept and protected only in production',
  (stage) => {
    const { physical, isProduction } = stage
    expect(stage.app).toEqual({
      name: 'embed-access',
      stage: physical,
      home: 'aws',
      version: '4.17.1',
      removal: isProduction ? 'retain' : 'remove',
      protect: isProduction,
      state: { purge: !isProduction, retention: isProduction ? 250 : 10 },
      providers: {
        aws: isProduction ? { region: 'eu-central-1', allowedAccountIds: ['123456789012'] } : {},
      },
    })
  },
)

const { AWS_REGION, DOMAIN_CERTIFICATE_ARN } = ownSettings

const topicIn = (region: string) => `arn:aws:sns:${region}:210987654321:on-call`

describe('settings:', () => {
  test.each(['DOMAIN', 'CORS_ORIGINS', 'ALARM_EMAIL'])(
    'in production %s may be none but not forgotten',
    (name) => {
      for (const forgotten of [undefined, ' ', ','])
        expect(() =>
          settingsOf('production', { ...productionSettings, [name]: forgotten }),
        ).toThrow(`Production needs ${name}. Set it to "none" if production has none.`)
      expect(() =>
        settingsOf('production', { ...productionSettings, [name]: 'none' }),
      ).not.toThrow()
    },
  )

  test.each(['AWS_REGION', 'AWS_ACCOUNT'])('in production %s must not be forgotten', (name) => {
    expect(() => providerOf('production', { ...productionSettings, [name]: undefined })).toThrow(
      `Production needs ${name}`,
    )
  })

  test.each<[name: string, message: string, ...wrong: string[]]>([
    [
      'DOMAIN',
      'must be a host name',
      ...['https://api.example.com', '-api.example.com', 'api-.example.com', '192.0.2.1'],
      ...[`${'a'.repeat(64)}.example.com`, Array(4).fill('a'.repeat(63)).join('.')],
    ],
    [
      'DOMAIN',
      'must have at most 64 characters without DOMAIN_CERTIFICATE_ARN',
      `${'a'.repeat(53)}.example.com`,
    ],
    [
      'CORS_ORIGINS',
      'must be origins',
      ...['https://app.example.com/', 'https://*.example.com', 'null'],
    ],
    ['CATALOG_SENDERS', 'must be AWS accounts, 12 digits each', '12345'],
    ['CATALOG_EVENT_BUS', 'must be the name of an event bus', 'billing, identity'],
    ['CATALOG_EVENT_BUS', 'needs CATALOG_EVENT_SOURCES', 'platform'],
    ['CATALOG_EVENT_SOURCES', 'must be sources of events', 'a b'],
    // With less, no session could ask for a token that expires sooner.
    ['TOKEN_LIFETIME_SECONDS', 'must be an integer from 60 to 86400', '59', '86401'],
    ['MAX_TOKEN_BYTES', 'must be an integer from 1 to 8192', '7 KB'],
    ['ALARM_EMAIL', 'must be an e-mail address: operators', 'operators'],
    ['DOMAIN_CERTIFICATE_ARN', 'must be the ARN of a certificate in ACM: own', 'own'],
    ['ALARM_TOPICS', 'must be ARNs of SNS topics, separated by commas: on-call', 'on-call'],
    [
      'ALARM_TOPICS',
      'must be at most four in a region',
      Array(5).fill(topicIn('us-east-1')).join(','),
    ],
    ['MONTHLY_BUDGET', 'must be US dollars a month, a whole number: 9.5', '9.5'],
    ['MONTHLY_BUDGET', 'needs ALARM_EMAIL, or a topic of this account', '500'],
    ['MAX_TABLE_UNITS', 'must be READ,WRITE units a second, or -1,-1 for no limit', '30000', '0,0'],
    [
      'AUDIT_DESTINATION',
      'must be the ARN of a destination of CloudWatch',
      ...['arn:aws:s3:::audit', 'arn:aws:logs:eu-central-1:210987654321:destination:*'],
    ],
    [
      'AUDIT_DESTINATION',
      'must be in AWS_REGION, as',
      'arn:aws:logs:eu-west-1:210987654321:destination:a',
    ],
  ])('a wrong one is refused: %s %s', (name, message, ...wrong) => {
    for (const value of wrong)
      expect(() => settingsOf('pr-7', { [name]: value }), value).toThrow(`${name} ${message}`)
  })

  test('a wrong secret is refused, and not shown', () => {
    const secret = 'x'.repeat(32)
    for (const EDGE_SECRET of [`${secret}:*`, `*:${secret}`, `${secret.slice(1)} `])
      expect(() => settingsOf('pr-7', { EDGE_SECRET })).toThrow(
        /^EDGE_SECRET must be letters and digits, at least 32, or two such secrets$/,
      )
  })

  test.each([
    [{ ALARM_TOPICS: topicIn('eu-west-1'), AWS_REGION }, 'ALARM_TOPICS must be in AWS_REGION, or'],
    [
      { ALARM_TOPICS: topicIn('eu-central-1'), AWS_REGION },
      'ALARM_TOPICS needs a topic in AWS_REGION, and one in us-east-1',
    ],
    [
      { ALARM_TOPICS: topicIn('us-east-1'), AWS_REGION },
      'ALARM_TOPICS needs a topic in AWS_REGION, and one in us-east-1',
    ],
    [
      {
        MONTHLY_BUDGET: '500',
        AWS_REGION,
        AWS_ACCOUNT: '123456789012',
        ALARM_TOPICS: ['eu-central-1', 'us-east-1'].map(topicIn).join(','),
      },
      'MONTHLY_BUDGET needs ALARM_EMAIL, or a topic of this account',
    ],
    [
      { AUDIT_DESTINATION: 'arn:aws:logs:eu-west-1:210987654321:destination:a', AWS_REGION },
      'AUDIT_DESTINATION must be in AWS_REGION, as',
    ],
    [
      { PROVISIONED_CONCURRENCY: '6', RESERVED_CONCURRENCY: '11' },
      'PROVISIONED_CONCURRENCY must be at most half of RESERVED_CONCURRENCY, because',
    ],
    [
      { EDGE_SECRET: 'x'.repeat(32), DOMAIN_CERTIFICATE_ARN },
      'DOMAIN_CERTIFICATE_ARN must be in us-east-1, for',
    ],
    [
      { AWS_REGION: 'us-east-1', DOMAIN_CERTIFICATE_ARN },
      'DOMAIN_CERTIFICATE_ARN must be in AWS_REGION, for API Gateway',
    ],
    [
      { AWS_REGION, AWS_ACCOUNT: '210987654321', DOMAIN_CERTIFICATE_ARN },
      'DOMAIN_CERTIFICATE_ARN must be of the account AWS_ACCOUNT',
    ],
  ])('those that do not fit each other are refused: %j', (settings, message) => {
    expect(() => settingsOf('pr-7', settings)).toThrow(message)
  })

  test.each([
    { DOMAIN: `${'a'.repeat(52)}.example.com` },
    { DOMAIN: `${'a'.repeat(63)}.example.com`, AWS_REGION, DOMAIN_CERTIFICATE_ARN },
    { DOMAIN: 'a.xn--p1ai' },
  ])('a host name may be as long as its certificate: %j', (settings) => {
    expect(settingsOf('pr-7', settings).domain?.name).toBe(settings.DOMAIN)
  })

  // AWS knows only later what is wrong with these.
  const free = /^(AUDIENCE|AWS_|RUNBOOK_URL)/
  test.each(Object.entries(ownSettings).filter(([name]) => !free.test(name)))(
    'a value with something before or behind it is refused: %s',
    (name, value) => {
      for (const wrong of [`${value}:*`, `*:${value}`])
        expect(() => settingsOf('production', { ...ownSettings, [name]: wrong })).toThrow(name)
    },
  )

  test.each([
    ['RATE_LIMIT', 'requests a second', 10_000],
    ['SIGNING_KEY_MAX_DAYS', 'days', 3650],
    ['PROVISIONED_CONCURRENCY', 'instances', 1000],
    ['RESERVED_CONCURRENCY', 'executions', 10_000],
  ])('%s is a number from 1 to its limit', (name, what, most) => {
    for (const number of [1, most])
      expect(settingsOf('pr-7', { [name]: String(number) })).toMatchObject({ [name]: number })
    for (const number of [0, most + 1])
      expect(() => settingsOf('pr-7', { [name]: String(number) })).toThrow(
        `${name} must be ${what}, from 1 to ${most}: ${number}`,
      )
  })

  test.each([
    { CORS_ORIGINS: '*' },
    { DOMAIN: ' api.example.com\n' },
    { ALARM_TOPICS: Array(4).fill(topicIn('us-east-1')).join(','), AWS_REGION: 'us-east-1' },
    { MAX_TABLE_UNITS: '-1,-1' },
    { MAX_TABLE_UNITS: '1,1' },
    { MONTHLY_BUDGET: '1', ALARM_EMAIL: 'operators@example.com' },
    { DOMAIN: 'api-9.example.com' },
    { PROVISIONED_CONCURRENCY: '5', RESERVED_CONCURRENCY: '10' },
    { EDGE_SECRET: 'x'.repeat(32) },
  ])('those that make sense are taken: %j', (settings) => {
    for (const stage of ['a', 'thirteen-long'])
      expect(() => settingsOf(stage, settings)).not.toThrow()
  })

  test.each(['fourteen-chars', 'Production', '7-days', 'a_b', ''])(
    'the stage must have a short name in lower case: %s',
    (stage) => {
      expect(() => settingsOf(stage, {})).toThrow(`The stage ${stage} must be`)
    },
  )

  test('an id that is no account’s is refused at every stage', () => {
    for (const AWS_ACCOUNT of ['12345678901', '1234567890123'])
      expect(() => providerOf('pr-7', { AWS_ACCOUNT })).toThrow(
        'AWS_ACCOUNT must be the account’s 12 digits.',
      )
  })

  test('each has a row in docs/deploy.md, and each row is of one', () => {
    const code = readFileSync('stacks/settings.ts', 'utf8')
    const read = [
      ...new Set(
        code.match(/^ {2}[A-Z][A-Z_]+(?=:)|\bAWS_ACCOUNT\b/gm)?.map((name) => name.trim()),
      ),
    ]
    const [, table = ''] =
      /^## \d\. The repository([\s\S]*?)\nIn a terminal/m.exec(
        readFileSync('docs/deploy.md', 'utf8'),
      ) ?? []
    const rows = table
      .split('\n')
      .flatMap((row) => row.split('|')[1]?.match(/(?<=`)[A-Z_]+(?=`)/g) ?? [])
    // Only workflows read these.
    const others = ['AWS_ROLE_ARN', 'SMOKE_DEPLOYMENT', 'SMOKE_TENANT', 'SMOKE_KEY', 'ROTATE_AFTER']
    expect(rows.filter((row) => !others.includes(row)).sort()).toEqual(read.sort())
  })
})

testStages('no input of any resource has a private key, or could have one', ({ resources }) => {
  expect(JSON.stringify(resources)).not.toMatch(/\\*"d\\*":|PRIVATE KEY|SIGNING_KEYS(?!_TABLE)/)
  expect(
    resources.filter(({ type }) => /secret|ssm|privateKey|dynamodb\/tableItem/i.test(type)),
  ).toEqual([])
})

test.each([
  [
    'no table',
    { getTable: null },
    /^.*Stage production has no signing keys\. Make them first: npx embed-access keys init/m,
  ],
  ['no keys', { getTableItem: null }, /Stage production has no signing keys/],
  [
    'a table under AWS’s key',
    { getTable: { serverSideEncryption: { enabled: false, kmsKeyArn: 'arn' } } },
    /not encrypted with a KMS key/,
  ],
  [
    'an unprotected table',
    { getTable: { deletionProtectionEnabled: false } },
    /needs deletion protection/,
  ],
  [
    'a table without backups',
    { getTable: { pointInTimeRecovery: { enabled: false } } },
    /point-in-time recovery/,
  ],
  [
    'too few executions for what is reserved',
    { getServiceQuota: { value: 121 } },
    /RESERVED_CONCURRENCY must be at most 10, since the account has 121 executions/,
  ],
  [
    'no executions to reserve',
    { getServiceQuota: { value: 10 } },
    /RESERVED_CONCURRENCY must be empty, since the account has 10 executions/,
  ],
  [
    'no executions that could always be ready',
    { getServiceQuota: { value: 10 } },
    /PROVISIONED_CONCURRENCY must be empty, since the account has 10 executions/,
    { PROVISIONED_CONCURRENCY: '5', RESERVED_CONCURRENCY: '' },
  ],
  [
    'too few executions for the instances of two versions',
    { getServiceQuota: { value: 120 } },
    /PROVISIONED_CONCURRENCY must be at most 5, since the account has 120/,
    { PROVISIONED_CONCURRENCY: '6', RESERVED_CONCURRENCY: '' },
  ],
])('a deployment that finds %s fails before it makes anything', async (...row) => {
  const [, answers, message, settings] = row
  const failed = evaluate('production', {
    ...productionSettings,
    RESERVED_CONCURRENCY: '11',
    ...settings,
    MOCKED_ANSWERS: JSON.stringify(answers),
  })
  await expect(failed).rejects.toThrow(message)
  await expect(failed).rejects.not.toThrow(/made: aws:/)
})
