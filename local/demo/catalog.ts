import { accounts, apiKeys, deployments, userChanges } from './accounts.ts'
import type { Change } from './change.ts'
import { dbtSyncs } from './dbt-syncs.ts'
import { folderChanges } from './folders.ts'
import { notificationChanges, recipients } from './notifications.ts'
import { shares } from './shares.ts'
import { embedTenants, groups, tenantGroups } from './tenants.ts'
import { workbookChanges } from './workbooks.ts'

/** Two invented companies as catalog changes; the same on every run. */
export function* demoCatalog(): Iterable<Change> {
  yield* accounts()
  yield* userChanges()
  yield* apiKeys()
  yield* deployments()
  yield* embedTenants()
  yield* groups()
  yield* tenantGroups()
  yield* folderChanges()
  yield* workbookChanges()
  yield* shares()
  yield* dbtSyncs()
  yield* notificationChanges()
  yield* recipients()
}
