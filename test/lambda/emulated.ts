import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { loopback } from '../../local/engine.ts'
import { tools } from '../aws/proof.ts'
import type { Inputs } from '../infrastructure/mocks.ts'
import { answering } from '../support/answering.ts'

const architecture = process.arch.replace('x64', 'x86_64')
/** AWS's Runtime Interface Emulator: what is around a function. */
const [emulator = ''] = globSync(
  `${tools.emulator}/lib/*/site-packages/samcli/local/rapid/*-${architecture}`,
)
/** AWS's Runtime Interface Client: the loop that loads a function in Node and calls it. */
const client = `${tools.client}/lib/node_modules/aws-lambda-ric/index.mjs`

/** What Lambda gives every function. LOG_LEVEL is the emulator's own. */
const ofLambda = {
  ...{ PATH: '/usr/bin:/bin', TZ: ':UTC', LANG: 'en_US.UTF-8', LOG_LEVEL: 'error' },
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret-access-key-of-the-role',
  AWS_SESSION_TOKEN: 'session-token-of-the-role',
}
export const secretsOfLambda = [ofLambda.AWS_SECRET_ACCESS_KEY, ofLambda.AWS_SESSION_TOKEN]

export type Emulated = Awaited<ReturnType<typeof emulated>>

/** Starts a function with what its deployment gives it, as far as `more` says nothing else. */
export async function emulated(bundle: string, deployed: Inputs, more: Record<string, string>) {
  const { name, handler, timeout, memorySize, environment, loggingConfig } = deployed
  // On an address of its own no other program takes a port meanwhile.
  const host = loopback()
  const [address, api] = [`${host}:8080`, `${host}:9001`]
  const addresses = ['--runtime-interface-emulator-address', address, '--runtime-api-address', api]
  const args = [...addresses, process.execPath, client, handler]
  const cwd = resolve('dist', bundle)
  // The evaluation has parsed the variables that are JSON.
  const variables = Object.entries(environment.variables).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const env = {
    ...ofLambda,
    LAMBDA_TASK_ROOT: cwd,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeout),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    AWS_LAMBDA_LOG_FORMAT: loggingConfig.logFormat,
    ...Object.fromEntries(variables),
    ...more,
  }
  const options = { cwd, env, detached: true }
  const { child, stop } = await answering(`http://${address}`, emulator, args, options)
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output?.on('data', (text) => (printed += text))
  const url = `http://${address}/2015-03-31/functions/function/invocations`
  return {
    /** @throws Error where the function throws, takes too long or does not start */
    // biome-ignore lint/suspicious/noExplicitAny: the answer of any function
    async invoke(event: object): Promise<any> {
      const text = await (await fetch(url, { method: 'POST', body: JSON.stringify(event) })).text()
      // The emulator's own answer about a function that takes too long, or ends, is no JSON.
      const isAnswer = /^[{n]/.test(text) && !text.startsWith('{"errorType"')
      if (!isAnswer) throw new Error(`${text}\n${printed}`)
      return JSON.parse(text)
    },
    printed: () => printed,
    stop,
  }
}
