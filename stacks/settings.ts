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
    tokens: Object.fromEntries(
      ['AUDIENCE', 'TOKEN_LIFETIME_SECONDS', 'MAX_TOKEN_BYTES'].flatMap((name) => {
        const value = environment[name]
        return value ? [[name, value]] : []
      }),
    ),
  }
}

function hostName(domain: string): string {
  if (/^([a-z0-9-]+\.)+[a-z]+$/.test(domain)) return domain
  throw new Error(`DOMAIN must be a host name in lower case, without a scheme: ${domain}`)
}

function webOrigin(origin: string): string {
  if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) return origin
  throw new Error(`CORS_ORIGINS must be origins such as https://app.example.com, separated by commas: ${origin}`)
}
