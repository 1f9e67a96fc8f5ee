import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints how long each file took, the slowest first: `npm run test:times`. */
export default class Times implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1).padStart(7)
    const files = modules.map((module) => {
      const { duration, collectDuration, prepareDuration, environmentSetupDuration, setupDuration } =
        module.diagnostic()
      const whole = duration + collectDuration + prepareDuration + environmentSetupDuration + setupDuration
      return { file: relative(process.cwd(), module.moduleId), whole }
    })
    process.stdout.write('\nseconds  file\n')
    for (const { file, whole } of files.toSorted((a, b) => b.whole - a.whole)) {
      process.stdout.write(`${seconds(whole)}  ${file}\n`)
    }
  }
}
