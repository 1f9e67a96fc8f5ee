import * as v from 'valibot'
import { type Environment, issuance } from '../functions/runtime/environment.ts'
import { stageRule } from './names.ts'

export type Settings = ReturnType<typeof settingsOf>

/** The value of a setting that is empty on purpose. */
const none = 'none'

/**
 * Settings that production must have. A deployment without DOMAIN would change the issuer of all
 * tokens.
 */
const neededInProduction = ['DOMAIN', 'CORS_ORIGINS', 'ALARM_EMAIL']

/** The only region for metrics of Route 53, and for CloudFront's certificates, rules and logs. */
export const globalRegion = 'us-east-1'

/**
 * A deployment prepares the instances of the new version before it releases the old instances.
 * AWS counts the instances of all versions of a function together.
 */
export const versionsAtOnce = 2

/** A part of a host name, between two dots. */
const label = '(?!-)[a-z0-9-]{1,63}(?<!-)'

/**
 * ACM refuses a certificate whose first name has more characters:
 * https://docs.aws.amazon.com/acm/latest/APIReference/API_RequestCertificate.html
 */
const longestCommonName = 64

const matching = (pattern: RegExp, message: string) => v.pipe(v.string(), v.regex(pattern, message))

const separatedByCommas = (item: v.GenericSchema<string, string>) => {
  const items = (text: string) => text.split(',').flatMap((each) => each.trim() || [])
  return v.optional(v.pipe(v.string(), v.transform(items), v.array(item)), '')
}

/** An origin of a page as a browser sends it, or all of them. */
export const isOrigin = (text: string) =>
  text === '*' || (URL.canParse(text) && new URL(text).origin === text && !text.includes('*'))

/** -1 removes a limit. */
const tableUnits = v.pipe(
  matching(/^(-1|[1-9]\d*),(-1|[1-9]\d*)$/, 'READ,WRITE units a second, or -1,-1 for no limit'),
  v.transform((text) => {
    const [maxReadRequestUnits = -1, maxWriteRequestUnits = -1] = text.split(',').map(Number)
    return { maxReadRequestUnits, maxWriteRequestUnits }
  }),
)

const positive = (what: string, max: number) => {
  const message = `${what}, from 1 to ${max}`
  return v.pipe(matching(/^[1-9]\d{0,8}$/, message), v.transform(Number), v.maxValue(max, message))
}

const requestsPerSecond = (otherwise: number) =>
  v.optional(positive('requests a second', 10_000), String(otherwise))

/**
 * The settings of a stage that are environment variables (docs/deploy.md says more). Each message
 * follows "must be".
 */
const variables = v.object({
  DOMAIN: v.optional(
    matching(
      new RegExp(`^(?=.{1,253}$)(${label}\\.)+(?!\\d)${label}$`),
      'a host name in lower case, without a scheme',
    ),
  ),
  DOMAIN_CERTIFICATE_ARN: v.optional(
    matching(/^arn:aws:acm:[^:]+:\d{12}:certificate\/[\w-]+$/, 'the ARN of a certificate in ACM'),
  ),
  CORS_ORIGINS: separatedByCommas(
    v.pipe(
      v.string(),
      v.check(isOrigin, 'origins such as https://app.example.com, separated by commas'),
    ),
  ),
  ALARM_EMAIL: v.optional(v.pipe(v.string(), v.email('an e-mail address'))),
  ALARM_TOPICS: separatedByCommas(
    matching(/^arn:aws:sns:[^:]+:\d{12}:[\w-]+$/, 'ARNs of SNS topics, separated by commas'),
  ),
  // Where the lines of the audit go too, such as another account's archive.
  AUDIT_DESTINATION: v.optional(
    matching(
      /^arn:aws:logs:[^:]+:\d{12}:destination:[^:*]+$/,
      'the ARN of a destination of CloudWatch Logs',
    ),
  ),
  SIGNING_KEY_MAX_DAYS: v.optional(positive('days', 3650), '90'),
  MONTHLY_BUDGET: v.optional(matching(/^[1-9]\d{0,8}$/, 'US dollars a month, a whole number')),
  AWS_REGION: v.optional(v.string()),
  RUNBOOK_URL: v.optional(v.string(), 'docs/operations.md'),
  RATE_LIMIT: requestsPerSecond(2000),
  EXCHANGE_RATE_LIMIT: requestsPerSecond(1000),
  PUBLIC_RATE_LIMIT: requestsPerSecond(100),
  // The edge sends the first, and the functions take all of them. Without one there is no edge.
  EDGE_SECRET: separatedByCommas(
    matching(/^[\w-]{32,}$/, 'letters and digits, at least 32, or two such secrets'),
  ),
  MAX_TABLE_UNITS: v.optional(tableUnits),
  // Both the authorizer and the exchange get that many.
  PROVISIONED_CONCURRENCY: v.optional(positive('instances', 1000)),
  RESERVED_CONCURRENCY: v.optional(positive('executions', 10_000)),
  CATALOG_EVENT_BUS: v.optional(matching(/^[\w./-]{1,256}$/, 'the name of an event bus')),
  CATALOG_EVENT_SOURCES: separatedByCommas(
    matching(/^[\w./-]+$/, 'sources of events such as billing, separated by commas'),
  ),
  CATALOG_SENDERS: separatedByCommas(
    matching(/^\d{12}$/, 'AWS accounts, 12 digits each, separated by commas'),
  ),
  // The functions have defaults for these, and check them.
  AUDIENCE: v.optional(v.string()),
  TOKEN_LIFETIME_SECONDS: v.optional(v.string()),
  MAX_TOKEN_BYTES: v.optional(v.string()),
})

type Given = v.InferOutput<typeof variables>

/** @throws Error with a sentence that names the setting */
export function settingsOf(stage: string, environment: Environment) {
  if (!stageRule.pattern.test(stage)) throw new Error(`The stage ${stage} ${stageRule.words}`)
  const production = stage === 'production'
  const forgotten = neededInProduction.find((name) => !/[^\s,]/.test(environment[name] ?? ''))
  if (production && forgotten)
    throw new Error(`Production needs ${forgotten}. Set it to "${none}" if production has none.`)
  const given = read(environment)
  const { AUDIENCE, TOKEN_LIFETIME_SECONDS, MAX_TOKEN_BYTES } = given
  const tokens = { AUDIENCE, TOKEN_LIFETIME_SECONDS, MAX_TOKEN_BYTES }
  // Refused here, since a function would refuse them only when it is called.
  issuance({ ...tokens, ISSUER: 'https://issuer.example' })
  const { AWS_ACCOUNT } = environment
  const mayBeOwn = (arn: string) => !AWS_ACCOUNT || accountOf(arn) === AWS_ACCOUNT
  const alarmTopics = alarmTopicsOf(given)
  const toldOfBudget = given.ALARM_EMAIL ?? alarmTopics.stage.find(mayBeOwn)
  requireFitting(given, toldOfBudget)
  const hasEdge = given.EDGE_SECRET.length > 0
  const monitored = production || stage === 'staging'
  const retentionDays = monitored ? 30 : 7
  return {
    ...given,
    production,
    /** Whether people rely on the stage. Then it has alarms and a dashboard, which cost money. */
    monitored,
    hasEdge,
    /** The audit is among the lines of a function, which Lambda writes to one log group. */
    logRetentionDays: production
      ? { functions: 365, access: 90 }
      : { functions: retentionDays, access: retentionDays },
    /** The service's own host name. If it is undefined, API Gateway gives the service a name. */
    domain: domainOf(given, hasEdge, mayBeOwn),
    /** An alarm can notify only the topics of its own region. */
    alarmTopics,
    tokens: Object.fromEntries(
      Object.entries(tokens).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
  }
}

function alarmTopicsOf({ AWS_REGION, ALARM_TOPICS }: Given) {
  const useless = ALARM_TOPICS.find((arn) => ![AWS_REGION, globalRegion].includes(regionOf(arn)))
  if (useless)
    throw new Error(
      `ALARM_TOPICS must be in AWS_REGION, or in ${globalRegion} for the heartbeat: ${useless}`,
    )
  const stage = ALARM_TOPICS.filter((arn) => regionOf(arn) === AWS_REGION)
  const heartbeat = ALARM_TOPICS.filter((arn) => regionOf(arn) === globalRegion)
  // CloudWatch takes five for an alarm, and some alarms have one more.
  if (stage.length > 4 || heartbeat.length > 4)
    throw new Error('ALARM_TOPICS must be at most four in a region.')
  if (ALARM_TOPICS.length > 0 && (stage.length === 0 || heartbeat.length === 0))
    throw new Error(
      `ALARM_TOPICS needs a topic in AWS_REGION, and one in ${globalRegion} for the heartbeat. ` +
        'Otherwise some alarms wake nobody.',
    )
  return { stage, heartbeat }
}

/** Refuses settings that exclude or need each other. */
function requireFitting(given: Given, toldOfBudget: string | undefined): void {
  const { AWS_REGION, AUDIT_DESTINATION } = given
  if (AUDIT_DESTINATION && regionOf(AUDIT_DESTINATION) !== AWS_REGION)
    throw new Error(
      `AUDIT_DESTINATION must be in AWS_REGION, as the logs are: ${AUDIT_DESTINATION}`,
    )
  if (given.MONTHLY_BUDGET && !toldOfBudget)
    throw new Error(
      'MONTHLY_BUDGET needs ALARM_EMAIL, or a topic of this account in ALARM_TOPICS. Otherwise ' +
        'nobody is told.',
    )
  if (given.CATALOG_EVENT_BUS && given.CATALOG_EVENT_SOURCES.length === 0)
    throw new Error(
      'CATALOG_EVENT_BUS needs CATALOG_EVENT_SOURCES, the sources whose events change the catalog.',
    )
  const { PROVISIONED_CONCURRENCY = 0, RESERVED_CONCURRENCY = Infinity } = given
  if (versionsAtOnce * PROVISIONED_CONCURRENCY > RESERVED_CONCURRENCY)
    throw new Error(
      'PROVISIONED_CONCURRENCY must be at most half of RESERVED_CONCURRENCY, because a ' +
        'deployment has the instances of two versions.',
    )
}

function domainOf(
  { DOMAIN: name, DOMAIN_CERTIFICATE_ARN: certificateArn, AWS_REGION }: Given,
  hasEdge: boolean,
  mayBeOwn: (arn: string) => boolean,
) {
  if (certificateArn && regionOf(certificateArn) !== (hasEdge ? globalRegion : AWS_REGION)) {
    const rule = hasEdge
      ? `With EDGE_SECRET, DOMAIN_CERTIFICATE_ARN must be in ${globalRegion}, for CloudFront`
      : 'DOMAIN_CERTIFICATE_ARN must be in AWS_REGION, for API Gateway'
    throw new Error(`${rule}: ${certificateArn}`)
  }
  if (name && !certificateArn && name.length > longestCommonName)
    throw new Error(
      `DOMAIN must have at most ${longestCommonName} characters without DOMAIN_CERTIFICATE_ARN, ` +
        `for the certificate that SST makes: ${name}`,
    )
  if (certificateArn && !mayBeOwn(certificateArn))
    throw new Error(`DOMAIN_CERTIFICATE_ARN must be of the account AWS_ACCOUNT: ${certificateArn}`)
  return name ? { name, ...(certificateArn && { certificateArn }) } : undefined
}

const regionOf = (arn: string) => arn.split(':')[3]

export const accountOf = (arn: string) => arn.split(':')[4]

function read(environment: Environment): Given {
  const set = Object.entries(environment).flatMap(([name, value]) => {
    const text = value?.trim()
    return text && text !== none ? [[name, text] as const] : []
  })
  const parsed = v.safeParse(variables, Object.fromEntries(set), {
    abortEarly: true,
    abortPipeEarly: true,
  })
  if (parsed.success) return parsed.output
  const [{ path, message, input }] = parsed.issues
  const name = path?.[0].key
  // A message must not show a secret.
  throw new Error(`${name} must be ${message}${name === 'EDGE_SECRET' ? '' : `: ${input}`}`)
}

/**
 * Where a stage is deployed. Production says its region and its account, so that credentials of
 * another one deploy nothing.
 * @throws Error with a sentence that names the setting
 */
export function providerOf(stage: string, { AWS_REGION, AWS_ACCOUNT }: Environment) {
  if (stage === 'production') {
    if (!AWS_REGION) throw new Error('Production needs AWS_REGION, such as eu-central-1.')
    if (!AWS_ACCOUNT) throw new Error('Production needs AWS_ACCOUNT, the account’s 12 digits.')
  }
  if (AWS_ACCOUNT && !/^\d{12}$/.test(AWS_ACCOUNT))
    throw new Error('AWS_ACCOUNT must be the account’s 12 digits.')
  return {
    ...(AWS_REGION && { region: AWS_REGION }),
    ...(AWS_ACCOUNT && { allowedAccountIds: [AWS_ACCOUNT] }),
  }
}
