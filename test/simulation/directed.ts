import { type Change, embedTenant, put, share, without } from '../support/catalog.ts'
import { type Planned, thingOf } from './plan.ts'
import type { Simulation } from './run.ts'
import { account } from './subjects.ts'

/** What happens in a scenario, whatever its seed. The seed only decides in which order. */
export type Scenario = Required<Pick<Simulation, 'there' | 'plan' | 'weather'>>

/** All changes of one thing have the same data here. A revision is the order. */
const planned = (change: Change, order: number, after?: Planned): Planned => ({
  thing: thingOf(change.kind, change.data),
  change: { ...change, revision: order },
  order,
  counts: true,
  after,
})

const calm = { lag: 0, trouble: 0, troubles: 0, kills: 0 }

/** A share names a tenant; right after it comes the deployment to whose account it belongs. */
function nameBeforeDeployment(): Scenario {
  const named = share(1, 'folder', 7, embedTenant('north'))
  const deployment = put('deployment', { accountId: account, id: 1, name: 'One' })
  const first = planned(named, 1)
  const plan = [first, planned(deployment, 1, first)]
  return { there: [], plan, weather: { ...calm, lag: 100 } }
}

/** Many definitions, each put and deleted at once, so that some writers pass each other. */
function putsAndDeletions(): Scenario {
  const plan = ['north', 'south'].flatMap((embedTenantName) =>
    Array.from({ length: 20 }, (_, index) => {
      const name = `group ${index}`
      const group = put('tenantGroup', { accountId: account, embedTenantName, name })
      return [planned(group, 1), planned(without(group), 2)]
    }).flat(),
  )
  return { there: [], plan, weather: calm }
}

/** For what random catalogs rarely come to, by the name of the omission. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'consistent reading of the names that wait for a deployment': nameBeforeDeployment(),
  'condition on what remembers a deleted group or definition': putsAndDeletions(),
}
