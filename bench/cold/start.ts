import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a step took: milliseconds that passed, and milliseconds of processors. */
export type Took = { readonly ms: number; readonly cpu: number }

/** One start of a function: its load, its invocations in order, and the answer to the last one. */
export type Start = {
  readonly load: Took
  readonly calls: readonly Took[]
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
