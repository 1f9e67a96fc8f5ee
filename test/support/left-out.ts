import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Says at the end which tests were left out, each with the reason that it gave to `skip`. */
export default class LeftOut implements Reporter {
  #chosenByName = false

  onInit({ config }: Vitest): void {
    this.#chosenByName = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].flatMap((test) => {
        const { note } = test.result() as { note?: string }
        // A run of some tests by their name leaves out the others, without a reason.
        if (note === undefined && this.#chosenByName) return []
        return `  ${relative(process.cwd(), module.moduleId)} > ${test.fullName}: ${note ?? 'no reason given'}\n`
      }),
    )
    if (lines.length > 0) process.stdout.write(`\nLeft out:\n${lines.join('')}\n`)
  }
}
