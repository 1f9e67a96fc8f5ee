import * as v from 'valibot'
import { DbtSync } from '../dbt-syncs/dbt-sync.ts'
import { syncKey, syncPartition } from '../dbt-syncs/list.ts'
import { id, text } from '../schema.ts'
import { pack } from '../storage/document.ts'
import { newestFirst } from '../storage/keys.ts'
import { maxListedBytes } from '../storage/list.ts'
import { kind } from './kind.ts'

/** A sync is in four lists, one for each combination of filters. */
export const dbtSync = kind({
  name: 'dbtSync',
  maxDocumentBytes: maxListedBytes,
  data: DbtSync,
  identity: v.object({ deploymentId: id, syncJobId: text }),
  key: ({ deploymentId, syncJobId }) => syncKey(deploymentId, syncJobId),
  item(sync) {
    const { deploymentId, syncJobId, startedAt, status, trigger } = sync
    return {
      order: newestFirst(startedAt, syncJobId),
      deploymentList: syncPartition(deploymentId, {}),
      statusList: syncPartition(deploymentId, { status }),
      triggerList: syncPartition(deploymentId, { trigger }),
      statusAndTriggerList: syncPartition(deploymentId, { status, trigger }),
      document: pack(JSON.stringify(sync)),
    }
  },
})
