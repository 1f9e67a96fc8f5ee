import type { Item } from '../storage/batch-get.ts'
import { account, apiKey, deployment, user } from './accounts.ts'
import { attributeDefinition, group, tenantGroup } from './definitions.ts'
import { embedTenant } from './embed-tenant.ts'
import type { Kind } from './kind.ts'
import { dbtSync, notification, recipient } from './listed.ts'
import { folder, share, workbook } from './workbooks.ts'

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

export type KindName = keyof typeof kinds

/** The kind of an item. Some items have none, such as the time when an API key was last used. */
export const kindOf = (item: Item): Kind | undefined => kinds[item.kind as KindName]
