import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Outcome, Plan } from './plan.ts'

const workers = 2

/** Has processes do a plan, and gives what they wrote. A process that hangs is ended, and another one goes on. */
export async function work<Result>(plan: Plan): Promise<Result[]> {
  const { folder } = plan
  rmSync(`${folder}/claims`, { recursive: true, force: true })
  mkdirSync(`${folder}/claims`)
  writeFileSync(`${folder}/plan.json`, JSON.stringify(plan))
  const hungOnce = new Set<string>()
  const results = await Promise.all(
    Array.from({ length: workers }, (_, index) => worker<Result>(folder, String(index), hungOnce)),
  )
  return results.flat()
}

async function worker<Result>(folder: string, name: string, hungOnce: Set<string>): Promise<Result[]> {
  const results = `${folder}/results-${name}.ndjson`
  rmSync(results, { force: true })
  for (let hung: string | undefined = ''; hung !== undefined; ) {
    hung = await runUntilItHangs(folder, name)
    if (!hung) continue
    if (hungOnce.has(hung)) {
      const outcome: Outcome = { id: hung, noticedBy: 'nothing ever ended' }
      writeFileSync(results, `${JSON.stringify(outcome)}\n`, { flag: 'a' })
    } else {
      // What was tried before may have slowed it down, so it is tried again in a new process.
      hungOnce.add(hung)
      rmSync(`${folder}/claims/${hung}`, { force: true })
    }
  }
  if (!existsSync(results)) return []
  const lines = readFileSync(results, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Result)
}

/** @returns what the process was doing when it hung, empty if it wants to be replaced; undefined if it came to its end */
async function runUntilItHangs(folder: string, name: string): Promise<string | undefined> {
  const busy = `${folder}/busy-${name}.json`
  rmSync(busy, { force: true })
  const log = openSync(`${folder}/log-${name}.txt`, 'w')
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutants/vitest.config.ts'],
    {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, MUTANTS_PLAN: `${folder}/plan.json`, MUTANTS_WORKER: name },
    },
  )
  let hung: string | undefined
  const watch = setInterval(() => {
    if (!existsSync(busy) || hung !== undefined) return
    const { what, until } = JSON.parse(readFileSync(busy, 'utf8') || '{}') as { what: string; until: number }
    if (until < Date.now()) {
      hung = what
      process.kill(-(child.pid as number), 'SIGKILL')
    }
  }, 1000)
  await new Promise((resolve) => child.once('exit', resolve))
  clearInterval(watch)
  return hung
}
