import { issuance } from '../functions/runtime/tokens.ts'

/** Everything that may differ from stage to stage. */
export type Settings = {
  readonly production: boolean
  /** Whether people rely on the stage. Then it has alarms and a dashboard, which cost money, and keeps logs longer. */
  readonly relied: boolean
  /** The service's own host name. Without one the service has the name that API Gateway gives it. */
  readonly domain?: { readonly name: string; readonly certificateArn?: string } | undefined
  /** The origins whose pages may call the public operations. */
  readonly corsOrigins: readonly string[]
  /** The address that alarms are sent to. */
  readonly alarmEmail?: string | undefined
  /** Where the alarms' descriptions say that the runbook is. */
  readonly runbook: string
  /** Requests a second: of the whole API, of the exchange, and of each other public route. */
  readonly limits: { readonly all: number; readonly exchange: number; readonly public: number }
  /** Units a second that the table of sessions takes from its first second on. Without it, DynamoDB's own start. */
  readonly warmSessions?: { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number } | undefined
  /** Who may send catalog changes: rules of this event bus, and other AWS accounts. */
  readonly feed: { readonly eventBus: string | undefined; readonly accounts: readonly string[] }
  /** Environment variables for the functions, unchanged. The functions have defaults for them. */
  readonly tokens: Readonly<Record<string, string>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** The value of a setting that is empty on purpose. */
const none = 'none'

/**
 * Reads the settings of a stage from environment variables (docs/deploy.md). In production DOMAIN,
 * CORS_ORIGINS and ALARM_EMAIL are required: a deployment without its domain would change the issuer of all tokens.
 * @throws Error with a sentence that names the setting
 */
export function settingsOf(stage: string, environment: Environment): Settings {
  // AWS would cut a longer name out of the names of roles, and the policy of the deploying role matches those names.
  if (!/^[a-z][a-z0-9-]{0,12}$/.test(stage)) {
    throw new Error(`The stage ${stage} must be 1 to 13 lower-case letters, digits and hyphens, with a letter first.`)
  }
  const production = stage === 'production'
  const read = (name: string): string | undefined => {
    const value = environment[name]?.trim()
    if (production && !value) throw new Error(`Production needs ${name}. Set it to "${none}" if production has none.`)
    return value === none ? undefined : value || undefined
  }
  const domain = read('DOMAIN')
  const certificateArn = environment.DOMAIN_CERTIFICATE_ARN
  return {
    production,
    relied: production || stage === 'staging',
    domain: domain === undefined ? undefined : { name: hostName(domain), ...(certificateArn && { certificateArn }) },
    corsOrigins: (read('CORS_ORIGINS') ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== '')
      .map(webOrigin),
    alarmEmail: read('ALARM_EMAIL'),
    runbook: environment.RUNBOOK_URL || 'docs/operations.md',
    limits: {
      all: rate(environment, 'RATE_LIMIT', 2000),
      exchange: rate(environment, 'EXCHANGE_RATE_LIMIT', 1000),
      public: rate(environment, 'PUBLIC_RATE_LIMIT', 100),
    },
    warmSessions: warmThroughput(environment.SESSIONS_WARM_THROUGHPUT),
    feed: { eventBus: environment.CATALOG_EVENT_BUS || undefined, accounts: accountsIn(environment.CATALOG_SENDERS) },
    tokens: tokenSettings(environment),
  }
}

/**
 * Where a stage is deployed. Production says its region and its account, so that credentials of another one deploy nothing.
 * @throws Error with a sentence that names the setting
 */
export function providerOf(stage: string, { AWS_REGION, AWS_ACCOUNT }: Environment) {
  if (stage === 'production' && !AWS_REGION) throw new Error('Production needs AWS_REGION, such as eu-central-1.')
  if (AWS_ACCOUNT ? !/^\d{12}$/.test(AWS_ACCOUNT) : stage === 'production') {
    throw new Error(`${stage === 'production' ? 'Production needs ' : ''}AWS_ACCOUNT, the account’s 12 digits.`)
  }
  return {
    ...(AWS_REGION && { region: AWS_REGION }),
    ...(AWS_ACCOUNT && { allowedAccountIds: [AWS_ACCOUNT] }),
  }
}

/** Refused here, since a function would refuse them only when it is called. */
function tokenSettings(environment: Environment): Record<string, string> {
  issuance({ environment: { ...environment, ISSUER: 'https://issuer.example' } })
  return Object.fromEntries(
    ['AUDIENCE', 'TOKEN_LIFETIME_SECONDS', 'MAX_TOKEN_BYTES'].flatMap((name) => {
      const value = environment[name]
      return value ? [[name, value]] : []
    }),
  )
}

function rate(environment: Environment, name: string, otherwise: number): number {
  const given = environment[name] || String(otherwise)
  if (/^[1-9]\d{0,4}$/.test(given) && Number(given) <= 10_000) return Number(given)
  throw new Error(`${name} must be requests a second, from 1 to 10000: ${given}`)
}

/** DynamoDB takes nothing less than what a new table has by itself. */
function warmThroughput(given: string | undefined): Settings['warmSessions'] {
  if (!given) return undefined
  const [, read = 0, write = 0] = /^(\d+),(\d+)$/.exec(given)?.map(Number) ?? []
  if (read >= 12_000 && write >= 4000) return { readUnitsPerSecond: read, writeUnitsPerSecond: write }
  throw new Error(`SESSIONS_WARM_THROUGHPUT must be READ,WRITE units a second, at least 12000,4000: ${given}`)
}

function accountsIn(given = ''): string[] {
  const accounts = given.split(',').flatMap((account) => account.trim() || [])
  const wrong = accounts.find((account) => !/^\d{12}$/.test(account))
  if (wrong !== undefined) {
    throw new Error(`CATALOG_SENDERS must be AWS accounts, 12 digits each, separated by commas: ${wrong}`)
  }
  return accounts
}

function hostName(domain: string): string {
  if (/^([a-z0-9-]+\.)+[a-z]+$/.test(domain)) return domain
  throw new Error(`DOMAIN must be a host name in lower case, without a scheme: ${domain}`)
}

function webOrigin(origin: string): string {
  if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) return origin
  throw new Error(`CORS_ORIGINS must be origins such as https://app.example.com, separated by commas: ${origin}`)
}
