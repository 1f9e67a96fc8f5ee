import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Says at the end which tests were left out, each with the reason that it gave to `skip`. */
export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap(({ children, moduleId }) =>
      [...children.allTests('skipped')].flatMap((test) => {
        const { note } = test.result() as { note?: string }
        return note === undefined
          ? []
          : `  ${relative(process.cwd(), moduleId)} > ${test.fullName}: ${note}\n`
      }),
    )
    if (lines.length > 0) process.stdout.write(`\nLeft out:\n${lines.join('')}\n`)
  }
}
