import { spawnSync } from 'node:child_process'

/** Whether this machine has no such program. */
export const missing = (program: string): boolean =>
  spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program]).status !== 0
