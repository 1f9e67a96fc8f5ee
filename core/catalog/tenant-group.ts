import * as v from 'valibot'
import { groupAttribute, tenantGroupFields } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name } from '../embed-tenants/names.ts'
import { exactly } from '../schema.ts'
import { accountId } from './account.ts'
import { definitionKind } from './definition.ts'

/** A group of one embed tenant; it names its tenant. */
export const tenantGroup = definitionKind({
  name: 'tenantGroup',
  data: exactly({ accountId, embedTenantName: embedTenantNameInAnyCase, ...tenantGroupFields }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name }),
  item: (data) => data,
  attributeOf: groupAttribute,
  tombstones: 'group',
})
