import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { memoryOf } from '../test/soak/process.ts'

type MeasuredRun = {
  readonly seconds: number
  /** Resident, a quarter through and at most. */
  readonly megabytes: readonly [number, number]
  readonly printed: string
}

/**
 * Runs `npx embed-access` with these arguments.
 * @param input comes from standard input
 */
export async function measured(
  args: readonly string[],
  { env = {}, input = [] }: { env?: Record<string, string>; input?: Iterable<string> } = {},
): Promise<MeasuredRun> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['cli/embed-access.ts', ...args], {
    env: { ...process.env, ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const sizes: number[] = []
  const sampling = setInterval(() => sizes.push(memoryOf(child.pid as number)), 200)
  const [[code]] = await Promise.all([
    once(child, 'close'),
    pipeline(Readable.from(input), child.stdin),
  ])
  clearInterval(sampling)
  if (code !== 0) throw new Error(printed)
  const most = (some: readonly number[]) => Math.max(0, ...some)
  return {
    seconds: (performance.now() - begun) / 1000,
    megabytes: [most(sizes.slice(0, sizes.length / 4)), most(sizes)],
    printed,
  }
}
