import type { OperationId } from '../../functions/operations/operations.ts'
import { median } from '../cpu.ts'
import { type Fired, fire } from './fire.ts'
import type { Shot } from './requests.ts'
import type { Target } from './sides.ts'

/** What requests to one server took. */
export type Taken = Fired & { readonly cpuMs: number }

/** Sends requests, as {@link fire} does, and measures the CPU of the server's process. */
export async function take(
  target: Target,
  shots: readonly Shot[],
  connections: number,
  until: Parameters<typeof fire>[3],
): Promise<Taken> {
  const before = await target.cpuMs()
  const fired = await fire(target.url, shots, connections, until)
  return { ...fired, cpuMs: (await target.cpuMs()) - before }
}

/** Operations that are measured one after the other: two of them take the sessions that the first one makes. */
export const groups: readonly (readonly OperationId[])[] = [
  ['list-embed-tenant-workbooks'],
  ['list-dbt-syncs'],
  ['list-notifications'],
  ['generate-session', 'exchange-session', 'revoke-session'],
  ['get-key-set'],
  ['get-spec'],
  ['get-error-reference'],
]

/** How many times each group is measured at each server in turn. */
const rounds = 3

/** How many requests each server gets before, at least. */
const fewest = 100

export type Measured = {
  readonly operation: OperationId
  readonly connections: number
  readonly target: string
  readonly rounds: readonly Taken[]
}

/**
 * Measures the operations of a group at each server in turn. All get the same number of requests: as many as the first
 * server answers in a number of seconds.
 */
export async function measureGroup(
  group: readonly OperationId[],
  targets: readonly Target[],
  connections: number,
  seconds: number,
): Promise<Measured[]> {
  const shares = group.map((_, index) => (index === 0 ? 1 : 0.5))
  const all = async (target: Target, amount: number): Promise<Taken[]> => {
    const taken: Taken[] = []
    for (const [index, id] of group.entries()) {
      taken.push(await take(target, [target.shots[id]], connections, { amount: amount * (shares[index] as number) }))
    }
    return taken
  }
  const warmUp = Math.max(fewest, 2 * connections)
  let amount = warmUp
  for (const target of targets.toReversed()) {
    const taken = await all(target, warmUp)
    const total = taken.reduce((sum, each) => sum + each.seconds, 0)
    amount = 2 * Math.max(connections, Math.ceil((warmUp * seconds) / total / rounds / 2))
  }
  const measured = targets.flatMap(({ name }) =>
    group.map((operation) => ({ operation, connections, target: name, rounds: [] as Taken[] })),
  )
  for (let round = 0; round < rounds; round += 1) {
    for (const [position, target] of targets.entries()) {
      for (const [index, taken] of (await all(target, amount)).entries()) {
        measured[position * group.length + index]?.rounds.push(taken)
      }
    }
  }
  return measured
}

/** Requests a second. */
export const rate = (rounds: readonly Taken[]): number => requests(rounds) / sum(rounds.map(({ seconds }) => seconds))

const requests = (rounds: readonly Taken[]): number => sum(rounds.map(({ latencies }) => latencies.length))

export const wrong = (rounds: readonly Taken[]): number => sum(rounds.map((taken) => taken.wrong))

/** The latency in milliseconds of a percentile. */
export function percentile(rounds: readonly Taken[], percent: number): number {
  const sorted = rounds.flatMap(({ latencies }) => latencies).toSorted((a, b) => a - b)
  return sorted[Math.min(Math.ceil((sorted.length * percent) / 100), sorted.length) - 1] as number
}

/** Milliseconds of CPU a request, the median of the rounds. */
export const cpu = (rounds: readonly Taken[]): number => median(rounds.map(cpuOf))

/** The CPU of one server against that of another: the median of the ratios within each round. */
export const ratio = (rounds: readonly Taken[], others: readonly Taken[]): number =>
  median(rounds.map((taken, round) => cpuOf(taken) / cpuOf(others[round] as Taken)))

const cpuOf = ({ cpuMs, latencies }: Taken): number => cpuMs / latencies.length

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
