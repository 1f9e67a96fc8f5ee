import * as v from 'valibot'
import {
  AttributeDefinition,
  definitionAttribute,
  definitionsKey,
  groupAttribute,
  groupKey,
  TenantGroup,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name, newGroupName } from '../embed-tenants/names.ts'
import { exactly, optional, text } from '../schema.ts'
import { key } from '../storage/keys.ts'
import { accountId } from './accounts.ts'
import { NotApplicable } from './change.ts'
import { type Kind, kind } from './kind.ts'
import { type DefinitionIdentity, writeDefinition } from './write-definition.ts'

/** A global group of an account. */
export const group = kind({
  name: 'group',
  table: 'catalog',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name }),
  key: ({ accountId, name }) => groupKey(accountId, name),
  item: (data) => data,
})

/** A kind of things that are in the item of their embed tenant, or of their account. Their tombstones are beside it. */
const definitionKind = <Data extends DefinitionIdentity>(
  type: 'group' | 'attribute',
  rest: Pick<Kind<Data, DefinitionIdentity>, 'name' | 'data' | 'identity' | 'item'>,
) =>
  kind<Data, DefinitionIdentity>({
    ...rest,
    table: 'catalog',
    key: ({ accountId, embedTenantName, name }) => ({
      ...definitionsKey(accountId, embedTenantName),
      sk: key(type, name),
    }),
    write(writer, parsed) {
      const { name } = parsed.change.data
      return writeDefinition(writer, type === 'group' ? groupAttribute(name) : definitionAttribute(name), parsed)
    },
  })

/** A group of one embed tenant; it names its tenant. */
export const tenantGroup = definitionKind('group', {
  name: 'tenantGroup',
  data: exactly({ accountId, embedTenantName: embedTenantNameInAnyCase, ...TenantGroup.entries }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name }),
  item: (data) => data,
})

const embedTenantName = optional(embedTenantNameInAnyCase)

/** A user attribute of an embed tenant, which it names, or of the account's sessions without one. */
export const attributeDefinition = definitionKind('attribute', {
  name: 'attributeDefinition',
  data: exactly({ accountId, embedTenantName, ...AttributeDefinition.entries }),
  identity: v.object({ accountId, embedTenantName, name }),
  item(data) {
    const definition = withTypedDefault(data)
    if (typeof definition === 'string') throw new NotApplicable('defaultValue', definition)
    return definition
  },
})
