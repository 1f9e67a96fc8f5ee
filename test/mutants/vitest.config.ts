import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import config from '../../vitest.config.ts'

/** The tests that are asked about mutants: mutants.ts names them. */
const include = (process.env.MUTANTS_TESTS ?? '').split(' ')

/**
 * What failed the last time comes first, since a mutant nearby is noticed by the same; then what is
 * quick.
 */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const known = (file: TestSpecification) =>
      this.ctx.cache.getFileTestResults(
        `${file.project.name}:${file.moduleId.slice(this.ctx.config.root.length)}`,
      )
    const order = (file: TestSpecification) =>
      known(file)?.failed ? -1 : (known(file)?.duration ?? 0)
    return sorted.toSorted((a, b) => order(a) - order(b))
  }
}

export default mergeConfig(
  { ...config, test: { ...config.test, include: [], reporters: [] } },
  defineConfig({
    // Stryker works in a copy of the project, in which node_modules, and so core in it, is that of
    // the project.
    resolve: {
      alias: { '@embed-access/core': fileURLToPath(new URL('../../core', import.meta.url)) },
    },
    test: {
      include,
      fsModuleCache: false,
      sequence: { shuffle: false, sequencer: QuickestFirst },
      // A slow machine is no mistake that was noticed. Stryker itself ends what hangs.
      testTimeout: 120_000,
    },
  }),
)
