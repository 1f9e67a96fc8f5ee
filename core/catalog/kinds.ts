import { account, apiKey, deployment, user } from './accounts.ts'
import { dbtSync } from './dbt-sync.ts'
import { attributeDefinition, group, tenantGroup } from './definitions.ts'
import { embedTenant } from './embed-tenant.ts'
import { notification, recipient } from './notifications.ts'
import { folder, share, workbook } from './workbooks.ts'

/** Every kind of the catalog contract, by its name. */
export const kinds = {
  account,
  user,
  apiKey,
  deployment,
  embedTenant,
  group,
  tenantGroup,
  attributeDefinition,
  folder,
  workbook,
  share,
  dbtSync,
  notification,
  recipient,
}
