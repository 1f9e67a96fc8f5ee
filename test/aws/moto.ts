import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestProject } from 'vitest/node'
import { freePort } from '../../local/engine.ts'
import evaluateStages from '../infrastructure/stages.ts'
import { tools } from './tools.ts'

declare module 'vitest' {
  interface ProvidedContext {
    moto: string
  }
}

/** Evaluates the stages, and starts moto, which answers as AWS does. */
export default async function moto(project: TestProject) {
  await evaluateStages(project)
  const port = String(await freePort())
  const program = `${tools.python.directory}/bin/moto_server`
  const server = spawn(program, ['--port', port], { stdio: 'ignore' })
  const address = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + 60_000; ; ) {
    if (await fetch(address).catch(() => undefined)) break
    if (server.exitCode !== null || Date.now() > deadline) throw new Error('moto did not start.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  project.provide('moto', address)
  return async () => {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
}
