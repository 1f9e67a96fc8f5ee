import { defineConfig } from 'vitest/config'

/** Tests in a real Chromium, which `npm test` must not need. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/browser/service.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
