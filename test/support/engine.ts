import type { TestProject } from 'vitest/node'
import { startEngine } from '../../local/engine.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engineEndpoint: string
  }
}

/**
 * One engine for all test files; each makes tables of its own. DYNAMODB_ENDPOINT names another
 * engine.
 */
export default async function engine({ provide }: TestProject) {
  const endpoint = process.env.DYNAMODB_ENDPOINT
  if (endpoint) return provide('engineEndpoint', endpoint)
  const started = await startEngine()
  provide('engineEndpoint', started.endpoint)
  return () => started.stop()
}
