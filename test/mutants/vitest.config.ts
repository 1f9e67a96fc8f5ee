import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { ForksPoolWorker, type PoolOptions } from 'vitest/node'
import config from '../../vitest.config.ts'
import { readPlan } from './plan.ts'

const { instrumented } = readPlan()
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Makes one process that tries mutants as long as there are any, instead of running the test files once. */
function createPoolWorker(options: PoolOptions) {
  return Object.assign(new ForksPoolWorker(options), { name: 'mutants', entrypoint: here('worker.ts') })
}

export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({
    // The tests import the sources with mutants. The files themselves stay as they are.
    plugins: [{ name: 'mutants', enforce: 'pre', load: (id) => instrumented[id] }],
    test: {
      include: ['test/mutants/worker.ts'],
      setupFiles: [here('coverage.ts')],
      pool: { name: 'mutants', createPoolWorker },
      // Vitest finds what it has transformed by the text of the file, which has no mutants.
      fsModuleCache: false,
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      disableConsoleIntercept: true,
    },
  }),
)
