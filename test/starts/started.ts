import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { tableVariables } from '../../functions/runtime/environment.ts'
import type { Mood, MoodyDatabase } from './database.ts'

export type Started = {
  /** What was asked of the database until the function was ready. */
  readonly asked: readonly string[]
  /** What was printed until then. */
  readonly printed: string
  readonly answer: unknown
}

const program = fileURLToPath(new URL('start.mjs', import.meta.url))

/** Starts a bundle over a database in a mood, and invokes it once the database answers. */
export async function started(file: string, database: MoodyDatabase, event: object): Promise<Started> {
  const child = fork(program, [file], {
    env: environment(database.url),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (printed += text))
  return new Promise((resolve, reject) => {
    let ready: Omit<Started, 'answer'> | undefined
    child.on('message', (message: 'loaded' | { answer: unknown }) => {
      if (message !== 'loaded') {
        child.disconnect()
        return resolve({ ...(ready as Omit<Started, 'answer'>), answer: message.answer })
      }
      ready = { asked: [...database.asked], printed }
      database.mood = 'answers' satisfies Mood
      child.send(event)
    })
    child.once('exit', () => reject(new Error(`${file} ended without an answer. ${printed}`)))
  })
}

const environment = (endpoint: string) => ({
  AWS_LAMBDA_FUNCTION_NAME: 'test',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  DEAD_LETTERS_URL: `${endpoint}/dead-letters`,
  ISSUER: 'https://embed.test',
  METRICS: 'true',
  ...Object.fromEntries(Object.entries(tableVariables).map(([table, variable]) => [variable, table])),
})
