import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  // The sources of the client: only the examples and test/client/package.test.ts use what is built.
  resolve: {
    alias: { '@embed-access/client': fileURLToPath(new URL('client/index.ts', import.meta.url)) },
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['infrastructure', 'browser', 'lambda', 'aws'].map((name) => `test/${name}/**`),
    globalSetup: 'test/support/engine.ts',
    setupFiles: 'test/support/properties.ts',
    reporters: [...configDefaults.reporters, './test/support/left-out.ts'],
    pool: 'forks',
    // One more than the cores of a small machine: some tests wait for a limit of time or a process.
    maxWorkers: 3,
    // Files share these processes, so that each loads a module once and not once for every file.
    isolate: false,
    // A process that a test starts takes half the time if Node finds its compiled modules.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    },
    // Tests of a file must not need each other. The start of a run prints its seed; --sequence.seed
    // repeats it.
    sequence: { shuffle: { tests: true } },
    // Far longer than any takes, because a machine may be slow and busy. Longer ones take `slow` of
    // test/support/time.ts.
    testTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    hookTimeout: 120_000,
  },
})
