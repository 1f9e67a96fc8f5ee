import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    // test/aws and test/lambda name their own.
    dir: 'test/infrastructure',
    globalSetup: ['test/infrastructure/stages.ts', 'test/support/engine.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
