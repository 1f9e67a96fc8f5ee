import { spawnSync } from 'node:child_process'

/**
 * Runs vitest as a proof, with the options of the caller. With `--help` it prints the help.
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
