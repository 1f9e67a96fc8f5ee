import { account } from './account.ts'
import { apiKey } from './api-key.ts'
import { dbtSync } from './dbt-sync.ts'
import { attributeDefinition, tenantGroup } from './definitions.ts'
import { deployment } from './deployment.ts'
import { embedTenant } from './embed-tenant.ts'
import { folder } from './folder.ts'
import { group } from './group.ts'
import { notification } from './notification.ts'
import { recipient } from './recipient.ts'
import { share } from './share.ts'
import { user } from './user.ts'
import { workbook } from './workbook.ts'

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
