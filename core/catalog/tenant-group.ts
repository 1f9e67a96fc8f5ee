import * as v from 'valibot'
import { embedTenantKey, groupAttribute, tenantGroupFields } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name } from '../embed-tenants/names.ts'
import { exactly } from '../schema.ts'
import { key } from '../storage/keys.ts'
import { accountId } from './account.ts'
import { writeDefinition } from './definition.ts'
import { kind } from './kind.ts'

type Identity = { readonly accountId: string; readonly embedTenantName: string; readonly name: string }

/** The item that remembers a deleted group. */
const remembered = ({ accountId, embedTenantName, name }: Identity) => ({
  ...embedTenantKey(accountId, embedTenantName),
  sk: key('group', name),
})

/** A group of one embed tenant; it names its tenant. */
export const tenantGroup = kind({
  name: 'tenantGroup',
  table: 'catalog',
  data: exactly({ accountId, embedTenantName: embedTenantNameInAnyCase, ...tenantGroupFields }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name }),
  key: remembered,
  item: (data) => data,
  write(writer, { op, revision, data }) {
    const { accountId, embedTenantName, name } = data
    return writeDefinition(writer, {
      kind: 'tenantGroup',
      revision,
      accountId,
      embedTenantName,
      holder: embedTenantKey(accountId, embedTenantName),
      attribute: groupAttribute(name),
      identity: { accountId, embedTenantName, name },
      remembered: remembered(data),
      value: op === 'put' ? { description: data.description } : undefined,
    })
  },
})
