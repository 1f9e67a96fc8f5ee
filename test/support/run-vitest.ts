import { spawnSync } from 'node:child_process'

/**
 * Runs vitest as a proof, with the options of the caller.
 * @param options what the run is always given: files, or a configuration
 */
export function runVitest(...options: readonly string[]): void {
  const args = ['run', ...options, ...process.argv.slice(2)]
  process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1
}
