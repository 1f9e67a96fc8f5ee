import { spawnSync } from 'node:child_process'

/**
 * A proof that is a run of vitest. It hands the options of its caller on, and says its help if that
 * is asked for.
 * @param options what the run is always given: files, or a configuration
 */
export function runVitest(help: string, ...options: readonly string[]): void {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(help)
    return
  }
  const { status } = spawnSync('vitest', ['run', ...options, ...args], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
