import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { type Bundles, bundleConfig } from './bundled-config.ts'
import type { Inputs } from './mocks.ts'

/** A resource as the real config registers it with Pulumi. */
export type Resource = {
  readonly type: string
  readonly name: string
  /** JSON in a text, such as a policy, is parsed. */
  readonly inputs: Inputs
  /** Whether removing it from the stage leaves it in the account. */
  readonly retained: boolean
  /** The inputs whose changes do not change it. */
  readonly ignored: readonly string[]
  readonly provider: string
  /** Names of the resources that are made before it. */
  readonly after: readonly string[]
}

export type Evaluation = {
  readonly app: Inputs
  readonly resources: readonly Resource[]
  readonly lookUps: readonly string[]
  readonly outputs: Inputs
}

/** A stage of each kind, a production with settings of its own, and one with an edge. */
export type Stages = Readonly<
  Record<'production' | 'staging' | 'preview' | 'own' | 'edge', Evaluation>
>

declare module 'vitest' {
  interface ProvidedContext {
    stages: Stages
  }
}

/** Variables that the settings of production insist on; other stages do without. */
export const productionSettings = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCOUNT: '123456789012',
  DOMAIN: 'api.example.com',
  CORS_ORIGINS: 'https://app.example.com,https://staging.example.com',
  ALARM_EMAIL: 'operators@example.com',
}

export const ownSettings = {
  ...productionSettings,
  DOMAIN_CERTIFICATE_ARN: 'arn:aws:acm:eu-central-1:123456789012:certificate/own',
  AUDIENCE: 'https://audience.example',
  TOKEN_LIFETIME_SECONDS: '3600',
  MAX_TOKEN_BYTES: '4096',
  RATE_LIMIT: '3000',
  EXCHANGE_RATE_LIMIT: '1500',
  PUBLIC_RATE_LIMIT: '50',
  // Two are in another account, the last is in the stage's own.
  ALARM_TOPICS:
    'arn:aws:sns:eu-central-1:210987654321:on-call, arn:aws:sns:us-east-1:210987654321:on-call, ' +
    'arn:aws:sns:eu-central-1:123456789012:on-call',
  SIGNING_KEY_MAX_DAYS: '40',
  MONTHLY_BUDGET: '500',
  AUDIT_DESTINATION: 'arn:aws:logs:eu-central-1:210987654321:destination:audit',
  MAX_TABLE_UNITS: '30000,8000',
  PROVISIONED_CONCURRENCY: '5',
  RESERVED_CONCURRENCY: '50',
  CATALOG_EVENT_BUS: 'platform',
  CATALOG_EVENT_SOURCES: 'billing, identity',
  CATALOG_SENDERS: '210987654321, 321098765432',
  RUNBOOK_URL: 'https://runbook.example',
}

/** Two, as during a replacement. */
export const edgeSecrets = ['current-secret-of-the-edge-00000', 'former-secret-of-the-edge-000000']

/**
 * Evaluates `sst.config.ts` for a stage as `sst deploy` does, with Pulumi's mocks in place of AWS.
 * In a process of its own, because SST and Pulumi keep what they do in globals.
 * @throws Error with what the config threw
 */
export async function evaluate(
  stage: string,
  settings: Readonly<Record<string, string>> = {},
  bundles: Bundles = 'anew',
): Promise<Evaluation> {
  const { PATH, HOME } = process.env
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/infrastructure/evaluation.ts', stage, bundles],
    {
      env: { PATH, HOME, NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...settings },
      maxBuffer: Infinity,
    },
  )
  return JSON.parse(stdout)
}

/** Evaluates the real config for each stage, once for all test files. */
export default async function stages({ provide }: TestProject) {
  await Promise.all([bundleConfig('anew'), bundleConfig('as-they-are')])
  // The first makes the bundles for all. Stages have the same ones.
  const production = await evaluate('production', productionSettings)
  const edgeSettings = {
    ...productionSettings,
    ALARM_TOPICS:
      'arn:aws:sns:us-east-1:123456789012:on-call,arn:aws:sns:eu-central-1:123456789012:on-call',
    EDGE_SECRET: edgeSecrets.join(','),
    // A tenth of it is less than AWS WAF takes.
    RATE_LIMIT: '1',
  }
  const [staging, own, preview, edge] = await Promise.all([
    evaluate('staging', { ALARM_EMAIL: 'operators@example.com' }, 'as-they-are'),
    evaluate('production', ownSettings, 'as-they-are'),
    evaluate('pr-7', {}, 'as-they-are'),
    evaluate('production', edgeSettings, 'as-they-are'),
  ])
  provide('stages', { production, staging, preview, own, edge })
}
