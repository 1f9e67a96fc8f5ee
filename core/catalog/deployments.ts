import * as v from 'valibot'
import { deploymentKey, deploymentsOf } from '../access/keys.ts'
import { syncLists } from '../dbt-syncs/keys.ts'
import { notificationLists } from '../notifications/keys.ts'
import { exactly, id, optional, text } from '../schema.ts'
import { batchGet } from '../storage/batch-get.ts'
import { inParallel } from '../storage/in-parallel.ts'
import { ascending, key } from '../storage/keys.ts'
import { type IndexRange, queryWhole } from '../storage/query-index.ts'
import type { Storage } from '../storage/storage.ts'
import { contents } from '../workbooks/keys.ts'
import { accountId } from './accounts.ts'
import { dependents, end } from './dependents.ts'
import { kind } from './kind.ts'
import { createEmbedTenant } from './named-tenants.ts'
import { endRecord, isLive, NotApplicable, putRecord } from './record.ts'

export const deployment = kind({
  table: 'catalog',
  data: exactly({ accountId, id, name: text }),
  identity: v.object({ id, accountId: optional(accountId) }),
  key: ({ id }) => deploymentKey(id),
  async apply({ storage }, change, { previous }) {
    const { id } = change.data
    const key = deploymentKey(id)
    if (change.op === 'delete') {
      // The account stays on the tombstone: an id is never handed on to another account.
      const accountId = previous?.accountId ?? change.data.accountId
      const owner = accountId === undefined ? {} : { accountId }
      await endRecord(storage, 'catalog', previous, key, change.revision, owner)
      await endContents(storage, id)
      return 'applied'
    }
    const { accountId } = change.data
    if (previous?.accountId !== undefined && previous.accountId !== accountId) {
      throw new NotApplicable('accountId', 'the deployment belongs to another account, and ids are never handed on')
    }
    if (previous?.deleted === true) await endContents(storage, id)
    const listed = { deploymentList: deploymentsOf(accountId), order: ascending(id) }
    await putRecord(storage, 'catalog', previous, { ...change.data, ...key, ...listed }, change.revision)
    if (!isLive(previous)) await nameAwaitedTenants(storage, accountId, id)
    return 'applied'
  },
})

/** Ends all folders, workbooks, notifications and syncs of a deployment with what hangs on them. */
async function endContents(storage: Storage, deploymentId: number): Promise<void> {
  const ranges: IndexRange[] = [
    { index: 'byFolder', partition: contents(deploymentId, 'folder') },
    { index: 'byFolder', partition: contents(deploymentId, 'workbook') },
    { index: 'byDeployment', partition: notificationLists(deploymentId).all },
    { index: 'byDeployment', partition: syncLists(deploymentId).all },
  ]
  for (const range of ranges) {
    for await (const found of queryWhole(storage, range)) {
      const records = [...(await batchGet(storage, found, { consistent: true })).values()]
      await inParallel(records, async (record) => {
        for (const dependent of await dependents(storage, record.pk)) await end(storage, dependent)
        await end(storage, record)
      })
    }
  }
}

/** Names that came by deployment before the deployment did. */
async function nameAwaitedTenants(storage: Storage, accountId: string, deploymentId: number): Promise<void> {
  for (const { sk } of await dependents(storage, deploymentKey(deploymentId).pk)) {
    // Names of embed tenants need no escaping in keys.
    await createEmbedTenant(storage, accountId, (sk as string).slice(key('embedTenant', '').length))
  }
}
