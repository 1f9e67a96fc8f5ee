import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { Scheduler } from './scheduler.ts'
import type { Timeline } from './timeline.ts'

/** What all actors of a simulation share. */
export type Setting = {
  readonly network: Network
  readonly scheduler: Pick<Scheduler, 'tick'>
  readonly timeline: Timeline
  readonly random: Random
}
