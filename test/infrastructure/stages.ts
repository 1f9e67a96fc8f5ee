import type { TestProject } from 'vitest/node'
import { type Evaluation, evaluate, productionSettings } from './evaluate.ts'

/** A stage of each kind, a production with settings of its own, and one with an edge. */
export type Stages = Readonly<Record<'production' | 'staging' | 'preview' | 'own' | 'edge', Evaluation>>

declare module 'vitest' {
  interface ProvidedContext {
    stages: Stages
  }
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
  ALARM_TOPICS: 'arn:aws:sns:eu-central-1:210987654321:on-call, arn:aws:sns:us-east-1:210987654321:on-call',
  SIGNING_KEY_MAX_DAYS: '40',
  MONTHLY_BUDGET: '500',
  AUDIT_DESTINATION: 'arn:aws:logs:eu-central-1:210987654321:destination:audit',
  MAX_TABLE_UNITS: '30000,8000',
  PROVISIONED_CONCURRENCY: '5',
  CATALOG_EVENT_BUS: 'platform',
  CATALOG_EVENT_SOURCES: 'billing, identity',
  CATALOG_SENDERS: '210987654321, 321098765432',
  RUNBOOK_URL: 'https://runbook.example',
}

/** As while one takes the place of the other. */
export const edgeSecrets = ['current-secret-of-the-edge-00000', 'former-secret-of-the-edge-000000']

/** Evaluates the real config for each stage, once for all test files. */
export default async function stages({ provide }: TestProject) {
  // One after the other, because all write their bundles to the same place.
  const production = await evaluate('production', productionSettings)
  const staging = await evaluate('staging', { ALARM_EMAIL: 'operators@example.com' })
  const own = await evaluate('production', ownSettings)
  const preview = await evaluate('pr-7')
  const edge = await evaluate('production', { ...productionSettings, EDGE_SECRET: edgeSecrets.join(',') })
  provide('stages', { production, staging, preview, own, edge })
}
