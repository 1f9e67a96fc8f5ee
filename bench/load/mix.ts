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
  /** Of the service, a quarter through and at the end. */
  readonly memory: readonly [Memory, Memory]
}

/** The other servers get so small a part of the service's time, before it and after it. */
const part = 1 / 15

/** Sends the mix of operations to the service for so many seconds, and for some to the other servers. */
export async function measureMix(targets: Targets, connections: number, seconds: number): Promise<Mixed> {
  const { service, functions, bare } = targets
  const run = (target: Target, duration: number) =>
    take(
      target,
      mix.map((id) => target.shots[id]),
      connections,
      { duration },
    )
  const others = async () => [await run(bare, seconds * part), await run(functions, seconds * part)] as const
  const before = await others()
  const aQuarterThrough = pause(seconds * 250).then(() => service.memory())
  const taken = await run(service, seconds)
  const memory = [await aQuarterThrough, await service.memory()] as const
  const after = await others()
  return { connections, service: taken, bare: [before[0], after[0]], functions: [before[1], after[1]], memory }
}
