import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A resource as the real config registers it with Pulumi. */
export type Resource = {
  readonly type: string
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: what is asked of inputs differs by resource type
  readonly inputs: Record<string, any>
  /** Whether removing it from the stage leaves it in the account. */
  readonly retained: boolean
  /** The inputs whose changes do not change it. */
  readonly ignored: readonly string[]
  /** Names of the resources that are made before it. */
  readonly after: readonly string[]
}

export type Evaluation = {
  readonly app: Readonly<Record<string, unknown>>
  readonly resources: readonly Resource[]
  readonly outputs: Readonly<Record<string, unknown>>
}

/** Variables that the settings of production insist on; other stages do without. */
export const productionSettings = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCOUNT: '123456789012',
  DOMAIN: 'api.example.com',
  CORS_ORIGINS: 'https://app.example.com,https://staging.example.com',
  ALARM_EMAIL: 'operators@example.com',
}

/**
 * Evaluates `sst.config.ts` for a stage as `sst deploy` does, with Pulumi's mocks in place of AWS. In a process of its
 * own, because SST and Pulumi keep what they do in globals.
 * @throws Error with what the config threw
 */
export function evaluate(stage: string, settings: Readonly<Record<string, string>> = {}): Promise<Evaluation> {
  const root = process.cwd()
  const child = fork(fileURLToPath(new URL('evaluation.ts', import.meta.url)), [stage], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  return new Promise((resolve, reject) => {
    let errors = ''
    child.stderr?.on('data', (text) => {
      errors += text
    })
    child.on('message', (evaluation) => resolve(evaluation as Evaluation))
    child.on('exit', (code) => reject(new Error(`evaluating ${stage} ended with ${code}: ${errors}`)))
  })
}
