import type { Planned } from './plan.ts'
import { type Simulation, scene, simulate } from './run.ts'

/** The most smaller simulations that are tried. */
const mostTries = 1500

/** What went wrong in a simulation, if something did. */
export const failureOf = (simulation: Simulation): Promise<Error | undefined> =>
  simulate(simulation).then(
    () => undefined,
    (error) => error as Error,
  )

/** A smaller simulation of the same seed that still fails: fewer things, fewer changes, better weather. */
export async function shrunk({
  seed,
  ...fixed
}: Pick<Simulation, 'seed' | 'omission' | 'handler'>): Promise<Simulation> {
  const own = scene(seed)
  let smallest: Simulation = { seed, ...fixed, plan: own.plan, weather: own.weather }
  let tries = 0
  const attempt = async (smaller: Partial<Simulation>) => {
    tries += 1
    if (tries > mostTries || !(await failureOf({ ...smallest, ...smaller }))) return
    smallest = { ...smallest, ...smaller }
  }
  const plan = () => smallest.plan as readonly Planned[]
  for (let before = Infinity; plan().length < before && tries < mostTries; ) {
    before = plan().length
    for (const thing of new Set(plan().map(({ thing }) => thing))) {
      await attempt({ plan: only(plan(), (each) => each.thing !== thing) })
    }
    for (const { change } of plan()) await attempt({ plan: only(plan(), (each) => each.change !== change) })
  }
  for (const calm of [{ troubles: 0 }, { kills: 0 }, { lag: 0 }]) {
    await attempt({ weather: { ...smallest.weather, ...calm } })
  }
  return smallest
}

/** Part of a plan. If something is left out, what came after it now comes after what was before it. */
function only(plan: readonly Planned[], isKept: (each: Planned) => boolean): Planned[] {
  const kept = new Map<Planned, Planned>()
  const copy = (each: Planned | undefined): Planned | undefined => {
    if (!each || !isKept(each)) return each && copy(each.after)
    const known = kept.get(each) ?? { ...each, after: copy(each.after) }
    kept.set(each, known)
    return known
  }
  return plan.filter(isKept).map((each) => copy(each) as Planned)
}
