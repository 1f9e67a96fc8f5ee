import { type Profiler, Session } from 'node:inspector/promises'

/** Whose code takes the time, by the path of its file; the first that fits. */
const parts = [
  ['middy', /node_modules\/@middy/],
  ['valibot', /node_modules\/valibot/],
  ['jose', /node_modules\/jose/],
  ['signing', /node_modules\/@smithy\/(signature-v4|core\/.*\/checksum)|core\/storage\/sha256/],
  ['lib-dynamodb', /node_modules\/@aws-sdk\/(lib|util)-dynamodb/],
  ['SDK', /node_modules\/@(aws-sdk|smithy|aws)\//],
  ['reads', /core\/storage\/reads/],
  ['our code', /\/(core|functions)\//],
] as const

export type Part = (typeof parts)[number][0] | 'garbage' | 'Node, and the stub'

/** The columns of a table of profiles. */
export const partNames: readonly Part[] = [...parts.map(([name]) => name), 'garbage', 'Node, and the stub']

/**
 * The share of the processor's time that each part takes of some work. What Node does for a part counts for the part.
 * @returns shares of 1
 */
export async function profileOf(work: () => Promise<unknown>): Promise<Map<Part, number>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return sharesIn(profile)
}

function sharesIn({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<Part, number> {
  const times = new Map<number, number>()
  samples.forEach((id, index) => {
    times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] as number))
  })
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const shares = new Map<Part, number>()
  const add = (id: number, caller: Part): void => {
    const { callFrame, children = [] } = byId.get(id) as Profiler.ProfileNode
    if (callFrame.functionName === '(idle)') return
    const part = partOf(callFrame) ?? caller
    shares.set(part, (shares.get(part) ?? 0) + (times.get(id) ?? 0))
    for (const child of children) add(child, part)
  }
  add((nodes[0] as Profiler.ProfileNode).id, 'Node, and the stub')
  const all = [...shares.values()].reduce((sum, time) => sum + time, 0)
  return new Map([...shares].map(([part, time]) => [part, time / all]))
}

function partOf({ url, functionName }: Profiler.ProfileNode['callFrame']): Part | undefined {
  if (functionName === '(garbage collector)') return 'garbage'
  if (url.includes('/bench/')) return 'Node, and the stub'
  return parts.find(([, pattern]) => pattern.test(url))?.[0]
}
