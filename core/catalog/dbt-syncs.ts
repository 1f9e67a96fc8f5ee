import * as v from 'valibot'
import { DbtSync } from '../dbt-syncs/dbt-sync.ts'
import { syncKey, syncLists } from '../dbt-syncs/keys.ts'
import { id, text } from '../schema.ts'
import { newestFirst } from '../storage/order.ts'
import { listedDocument } from './documents.ts'
import { kind } from './kind.ts'
import { endRecord, putRecord } from './record.ts'

/** A sync is in four lists, one for each combination of filters. */
export const dbtSync = kind({
  table: 'catalog',
  holdsDocument: true,
  data: DbtSync,
  identity: v.object({ deploymentId: id, syncJobId: text }),
  key: ({ deploymentId, syncJobId }) => syncKey(deploymentId, syncJobId),
  async apply({ storage }, change, { previous }) {
    const { deploymentId, syncJobId } = change.data
    const key = syncKey(deploymentId, syncJobId)
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, key, change.revision)
      return 'applied'
    }
    const { startedAt, status, trigger } = change.data
    const lists = syncLists(deploymentId)
    const item = {
      ...key,
      order: newestFirst(startedAt, syncJobId),
      deploymentList: lists.all,
      statusList: lists.byStatus(status),
      triggerList: lists.byTrigger(trigger),
      statusAndTriggerList: lists.byStatusAndTrigger(status, trigger),
      document: listedDocument(change.data),
    }
    await putRecord(storage, 'catalog', previous, item, change.revision)
    return 'applied'
  },
})
