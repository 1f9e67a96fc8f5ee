import { account, apiKey, deployment, user } from './accounts.ts'
import { attributeDefinition, group, tenantGroup } from './definitions.ts'
import { embedTenant } from './embed-tenant.ts'
import type { Kind, KindName } from './kind.ts'
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
} satisfies Record<KindName, Kind>

const kindsByName = new Map<unknown, Kind>(Object.entries(kinds))

/** The kind of an item or change. Some items have none, such as the last use of an API key. */
export const kindOf = ({ kind }: { readonly kind?: unknown }): Kind | undefined =>
  kindsByName.get(kind)
