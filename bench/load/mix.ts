import { setTimeout as pause } from 'node:timers/promises'
import { type Taken, take } from './measure.ts'
import { mix } from './requests.ts'
import type { Memory } from './side.ts'
import type { Target, Targets } from './sides.ts'

export type Mixed = {
  readonly connections: number
  readonly service: Taken
  readonly functions: readonly Taken[]
  readonly bare: readonly Taken[]
  /** The service's memory, after a quarter of the time and at the end. */
  readonly memory: readonly [Memory, Memory]
}

/** The part of the service's requests that the other servers get, twice in turn. */
const part = 1 / 15

/** Sends the mix of operations to the service for so many seconds, and then to the other servers. */
export async function measureMix(
  { service, functions, bare }: Targets,
  connections: number,
  seconds: number,
): Promise<Mixed> {
  const run = (target: Target, until: Parameters<typeof take>[3]) =>
    take(
      target,
      mix.map((id) => target.shots[id]),
      connections,
      until,
    )
  const aQuarterThrough = pause(seconds * 250).then(() => service.memory())
  const taken = await run(service, { duration: seconds })
  const memory = [await aQuarterThrough, await service.memory()] as const
  const amount = Math.max(mix.length * connections, Math.floor(taken.latencies.length * part))
  const others = { bare: [] as Taken[], functions: [] as Taken[] }
  for (let round = 0; round < 2; round += 1) {
    others.bare.push(await run(bare, { amount }))
    others.functions.push(await run(functions, { amount }))
  }
  return { connections, service: taken, ...others, memory }
}
