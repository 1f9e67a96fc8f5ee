import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { freePort } from '../../local/engine.ts'
import type { Inputs } from '../infrastructure/mocks.ts'

const cache = resolve('node_modules/.cache')

/** AWS's Runtime Interface Emulator: what is around a function. */
export const emulator = {
  version: 'v1.30',
  commit: 'f9bf927dfc8aa709a460577d6f70c79f7822d6c3',
  directory: `${cache}/aws-lambda-rie-1.30`,
  program: `${cache}/aws-lambda-rie-1.30/aws-lambda-rie`,
}

/** AWS's Runtime Interface Client: the loop that loads a function in Node and calls it. */
export const client = {
  version: '4.0.2',
  directory: `${cache}/aws-lambda-ric-4.0.2`,
  program: `${cache}/aws-lambda-ric-4.0.2/node_modules/aws-lambda-ric/index.mjs`,
}

export const secretKey = 'secret-access-key-of-the-role'

export type Emulated = Awaited<ReturnType<typeof emulated>>

/** Starts a function with what its deployment gives it, as far as `more` says nothing else. */
export async function emulated(bundle: string, deployed: Inputs, more: Record<string, string>) {
  const [port, api] = [await freePort(), await freePort()]
  const addresses = ['--runtime-interface-emulator-address', `127.0.0.1:${port}`]
  const loop = [process.execPath, client.program, deployed.handler]
  const options = [...addresses, '--runtime-api-address', `127.0.0.1:${api}`, ...loop]
  const child = spawn(emulator.program, options, {
    cwd: resolve('dist', bundle),
    detached: true,
    env: { LAMBDA_TASK_ROOT: resolve('dist', bundle), ...environmentOf(deployed), ...more },
  })
  let printed = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (text) => (printed += text))
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`
  const post = (event: object) => fetch(url, { method: 'POST', body: JSON.stringify(event) })
  return {
    /** @throws Error where the function throws, takes too long or does not start */
    // biome-ignore lint/suspicious/noExplicitAny: the answer of any function
    async invoke(event: object): Promise<any> {
      for (let tries = 0; ; tries += 1) {
        const response = await post(event).catch((error) => {
          // The emulator takes a moment until it listens.
          if (error.cause?.code !== 'ECONNREFUSED' || tries > 200) throw error
        })
        const text = await response?.text()
        // The emulator's own answer about a function that takes too long, or ends, is no JSON.
        if (text?.startsWith('{"errorType"') || (text !== undefined && !/^[{n]/.test(text))) {
          throw new Error(`${text}\n${printed}`)
        }
        if (text !== undefined) return JSON.parse(text)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    printed: () => printed,
    async end(): Promise<void> {
      process.kill(-(child.pid as number), 'SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** What Lambda gives every function, and what the deployment gives this one. */
function environmentOf({ name, timeout, memorySize, environment, loggingConfig }: Inputs) {
  const texts = Object.entries(environment.variables).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return {
    PATH: '/usr/bin:/bin',
    TZ: ':UTC',
    LANG: 'en_US.UTF-8',
    LOG_LEVEL: 'error',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_SESSION_TOKEN: 'token-of-the-role',
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeout),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    AWS_LAMBDA_LOG_FORMAT: loggingConfig.logFormat,
    ...Object.fromEntries(texts),
  }
}
