import * as v from 'valibot'
import {
  attributeFields,
  definitionAttribute,
  definitionsKey,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name } from '../embed-tenants/names.ts'
import { exactly, optional } from '../schema.ts'
import { key } from '../storage/keys.ts'
import { accountId } from './account.ts'
import { NotApplicable } from './change.ts'
import { writeDefinition } from './definition.ts'
import { kind } from './kind.ts'

const AttributeDefinition = exactly({
  accountId,
  embedTenantName: optional(embedTenantNameInAnyCase),
  ...attributeFields,
})

type AttributeDefinition = v.InferOutput<typeof AttributeDefinition>
type Identity = Pick<AttributeDefinition, 'accountId' | 'embedTenantName' | 'name'>

const holderOf = ({ accountId, embedTenantName }: Identity) => definitionsKey(accountId, embedTenantName)

/** The item that remembers a deleted definition. */
const remembered = (identity: Identity) => ({ ...holderOf(identity), sk: key('attribute', identity.name) })

function typed(data: AttributeDefinition): AttributeDefinition {
  const definition = withTypedDefault(data)
  if (typeof definition === 'string') throw new NotApplicable('defaultValue', definition)
  return definition
}

/** A user attribute of an embed tenant, which it names, or of the account's sessions without one. */
export const attributeDefinition = kind({
  name: 'attributeDefinition',
  table: 'catalog',
  data: AttributeDefinition,
  identity: v.object({ accountId, embedTenantName: optional(embedTenantNameInAnyCase), name }),
  key: remembered,
  item: typed,
  write(writer, { op, revision, data }) {
    const { accountId, embedTenantName, name } = data
    return writeDefinition(writer, {
      kind: 'attributeDefinition',
      revision,
      accountId,
      embedTenantName,
      holder: holderOf(data),
      attribute: definitionAttribute(name),
      identity: { accountId, embedTenantName, name },
      remembered: remembered(data),
      value: op === 'put' ? fieldsOf(typed(data)) : undefined,
    })
  },
})

const fieldsOf = ({ type, defaultValue, description, displayName }: AttributeDefinition) => ({
  type,
  defaultValue,
  description,
  displayName,
})
