import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { purge } from '@embed-access/core/catalog/purge.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { revokeMinted } from '@embed-access/core/sessions/revoke.ts'
import type { Claims } from '@embed-access/core/sessions/token.ts'
import { type ItemKey, itemId, itemsFrom, keyOf } from '@embed-access/core/storage/item.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { issuance } from '../sessions/past-the-gateway.ts'
import {
  admin,
  allEmbedUsers,
  type Change,
  embedTenant,
  folder,
  put,
  share,
  without,
  workbook,
} from '../support/catalog.ts'
import { startOfTime } from '../support/time.ts'
import { planned as changed } from './bait.ts'
import { Endings } from './endings.ts'
import { type Planned, thingOf } from './plan.ts'
import { ask } from './revocations.ts'
import type { Simulation } from './run.ts'
import { account } from './subjects.ts'

/** What happens in a scenario, whatever its seed. The seed only decides in which order. */
type Scenario = Required<Pick<Simulation, 'there' | 'plan' | 'weather'>> &
  Pick<Simulation, 'meanwhile'>

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

/** The same tables, whose scans give one item at a time. Pages of DynamoDB have up to 1 MB. */
export const pageByPage = (storage: Storage): Storage =>
  sendingThrough(storage, async (command, options) => {
    if (!(command instanceof ScanCommand)) return storage.client.send(command, options)
    const { ExclusiveStartKey: start, ...scan } = command.input
    const { Items } = await storage.client.send(new ScanCommand(scan))
    const [item, ...more] = itemsFrom(Items)
      .filter((each) => start === undefined || itemId(each) > itemId(start as ItemKey))
      .sort((a, b) => (itemId(a) < itemId(b) ? -1 : 1))
    const LastEvaluatedKey = item && more.length > 0 ? keyOf(item) : undefined
    return { Items: item ? [item] : [], LastEvaluatedKey }
  })

/**
 * An account is deleted and comes back, and after it all that it has, again and again, while purges
 * remove what deleted accounts have.
 */
function purgesOfAccount(): Scenario {
  const owners = [
    put('account', { id: account, name: 'Acme' }),
    put('deployment', { accountId: account, id: 1, name: 'One' }),
  ] as const
  const things = [
    folder(1, 7, null),
    share(1, 'folder', 7, allEmbedUsers),
    workbook(1, 1, { folderId: 7 }),
  ]
  const life = [...owners, ...things, without(owners[0])]
  const plan: Planned[] = []
  for (const [index, change] of [...life, ...life, ...owners].entries())
    plan.push(changed(change, index, plan.at(-1)))
  const last = plan.at(-1)
  plan.push(...things.map((change) => changed(change, plan.length, last)))
  return {
    there: [],
    plan,
    weather: calm,
    async meanwhile({ network }, goesOn) {
      const purges = ['one', 'another', 'a third'].map(async (name) => {
        const storage = pageByPage(network.storage({ name: `${name} purge`, dead: false }))
        while (goesOn()) await purge(storage, () => startOfTime)
      })
      await Promise.all(purges)
    },
  }
}

/** A user's sessions are revoked while earlier revocations of them are on their way. */
function revocationsThatPassEachOther(): Scenario {
  const owners = [
    put('account', { id: account, name: 'Acme', embeddingEnabled: true }),
    put('deployment', { accountId: account, id: 1, name: 'One' }),
  ]
  const principal = { ...admin, userId: 9 }
  return {
    there: owners.map((change) => changed(change, 1)),
    plan: [],
    weather: calm,
    async meanwhile(setting) {
      const { network, scheduler, timeline } = setting
      const now = () => scheduler.now
      const endings = new Endings(timeline)
      const recent = recentLookups(now)
      const sessions: Claims[] = []

      async function revoke(storage: Storage): Promise<void> {
        const revocation = { ends: () => true, from: timeline.tick(), to: Infinity }
        endings.revocations.push(revocation)
        await revokeMinted(storage, account, { userId: principal.userId }, 0, now())
        revocation.to = timeline.tick()
        for (const claims of sessions) await ask(storage, { claims, token: '' }, setting, endings)
      }

      async function revokeByEach([name, ...others]: readonly string[]): Promise<void> {
        if (name === undefined) return
        const storage = network.storage({ name, dead: false })
        const request = { deploymentId: 1 }
        const { claims } = await generateSession(
          { storage, principal, request, now: now(), limits: issuance, recent },
          () => {},
        )
        sessions.push(claims)
        const revoked = revoke(storage)
        scheduler.letPass(3000)
        await Promise.all([revoked, revokeByEach(others)])
      }

      await revokeByEach(['one admin', 'another', 'a third', 'a fourth', 'a fifth'])
    },
  }
}

/** Scenarios that random catalogs rarely reach, by the name of the omission. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'consistent reading of the names that wait for a deployment': nameBeforeDeployment(),
  'condition on what remembers a deleted group or definition': putsAndDeletions(),
  'condition of a purge on the deleted account': purgesOfAccount(),
  'condition of a revocation that arrives late': revocationsThatPassEachOther(),
}
