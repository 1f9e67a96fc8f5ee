import * as v from 'valibot'
import { DbtSync } from '../dbt-syncs/dbt-sync.ts'
import { syncLists } from '../dbt-syncs/list.ts'
import { id, text } from '../schema.ts'
import { key } from '../storage/keys.ts'
import { newestFirst } from '../storage/order.ts'
import { listedDocument } from './documents.ts'
import { kind } from './kind.ts'
import { endRecord, putRecord } from './record.ts'

const syncKey = ({ deploymentId, syncJobId }: { deploymentId: number; syncJobId: string }) => ({
  pk: key(deploymentId, 'dbtSync', syncJobId),
  sk: 'record',
})

/** A sync is in four lists, one for each combination of filters. */
export const dbtSync = kind({
  table: 'catalog',
  holdsDocument: true,
  data: DbtSync,
  identity: v.object({ deploymentId: id, syncJobId: text }),
  key: syncKey,
  async apply({ storage }, change, { previous }) {
    const at = syncKey(change.data)
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, at, change.revision)
      return 'applied'
    }
    const { deploymentId, syncJobId, startedAt, status, trigger } = change.data
    const lists = syncLists(deploymentId)
    const item = {
      ...at,
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
