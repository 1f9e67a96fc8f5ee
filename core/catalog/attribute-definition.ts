import * as v from 'valibot'
import { attributeFields, definitionAttribute, withTypedDefault } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name } from '../embed-tenants/names.ts'
import { exactly, optional } from '../schema.ts'
import { accountId } from './account.ts'
import { NotApplicable } from './change.ts'
import { definitionKind } from './definition.ts'

const embedTenantName = optional(embedTenantNameInAnyCase)

/** A user attribute of an embed tenant, which it names, or of the account's sessions without one. */
export const attributeDefinition = definitionKind({
  name: 'attributeDefinition',
  data: exactly({ accountId, embedTenantName, ...attributeFields }),
  identity: v.object({ accountId, embedTenantName, name }),
  item(data) {
    const definition = withTypedDefault(data)
    if (typeof definition === 'string') throw new NotApplicable('defaultValue', definition)
    return definition
  },
  attributeOf: definitionAttribute,
  tombstones: 'attribute',
})
