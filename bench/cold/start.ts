import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * What one start of a function took, in milliseconds of processor time: its load, and its
 * invocations in order. `answer` is that of the last invocation.
 */
export type Start = {
  readonly load: number
  readonly calls: readonly number[]
  readonly answer: unknown
}

const invoke = fileURLToPath(new URL('invoke.mjs', import.meta.url))

/** Starts a bundle in a process of its own, and invokes it so many times with the event. */
export function start(
  file: string,
  environment: object,
  event: object,
  invocations: number,
): Promise<Start> {
  const child = fork(invoke, [file, JSON.stringify(event), String(invocations)], {
    env: environment as NodeJS.ProcessEnv,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    let measured: Start | undefined
    child.once('message', (message) => {
      measured = message as Start
      child.disconnect()
    })
    child.once('exit', () =>
      measured ? resolve(measured) : reject(new Error(`${file} ended without an answer.`)),
    )
  })
}
