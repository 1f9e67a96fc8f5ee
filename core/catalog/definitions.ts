import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import {
  AttributeDefinition,
  defaultsVersion,
  definitionAttribute,
  definitionsKey,
  groupAttribute,
  groupKey,
  maxEmbedTenantBytes,
  TenantGroup,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name, newGroupName } from '../embed-tenants/names.ts'
import { narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { exactly, optional, text } from '../schema.ts'
import { batchGet, type Item, itemId } from '../storage/batch-get.ts'
import { conditionHeld, ifUnchanged, newVersion } from '../storage/conditional-writes.ts'
import { key } from '../storage/keys.ts'
import { accountId } from './accounts.ts'
import {
  kind,
  NotApplicable,
  type Parsed,
  requireAtMost,
  tombstoneOf,
  type Writer,
} from './kind.ts'
import { createEmbedTenant } from './named-tenants.ts'

export const group = kind({
  name: 'group',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name }),
  key: ({ accountId, name }) => groupKey(accountId, name),
})

/** What identifies a definition. Those of the account itself name no tenant. */
type Identity = {
  readonly accountId: string
  readonly embedTenantName?: string | undefined
  readonly name: string
}

/** The tombstone of a definition is in the partition of its embed tenant or account. */
const tombstoneKey = (
  type: 'group' | 'attribute',
  { accountId, embedTenantName, name }: Identity,
) => ({
  ...definitionsKey(accountId, embedTenantName),
  sk: key(type, name),
})

export const tenantGroup = kind({
  name: 'tenantGroup',
  data: exactly({ accountId, embedTenantName: embedTenantNameInAnyCase, ...TenantGroup.entries }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name }),
  key: (identity) => tombstoneKey('group', identity),
  write: writeDefinition,
})

const embedTenantName = optional(embedTenantNameInAnyCase)

export const attributeDefinition = kind({
  name: 'attributeDefinition',
  data: exactly({ accountId, embedTenantName, ...AttributeDefinition.entries }),
  identity: v.object({ accountId, embedTenantName, name }),
  key: (identity) => tombstoneKey('attribute', identity),
  item(data) {
    const definition = withTypedDefault(data)
    if (typeof definition === 'string') throw new NotApplicable('/data/defaultValue', definition)
    return definition
  },
  write: writeDefinition,
})

/**
 * A definition is one attribute of its tenant's item. Its tombstone is an item of its own, so the
 * tenant's item stays small. A transaction writes one of the two and removes the other, on
 * condition that both are as they were read. A put without a revision has a version, so a call that
 * arrives late, after others changed it there and back, meets another one.
 */
async function writeDefinition(
  { storage, now }: Writer,
  { kind, key, change: { op, revision, data }, content }: Parsed<Identity, Identity>,
): Promise<boolean> {
  const TableName = storage.tables.catalog
  const { accountId, embedTenantName, name } = data
  const isAttribute = kind.name === 'attributeDefinition'
  const attribute = isAttribute ? definitionAttribute(name) : groupAttribute(name)
  const tenantKey = definitionsKey(accountId, embedTenantName)
  const { accountId: _, embedTenantName: __, name: ___, ...fields } = content
  const version = revision === undefined ? newVersion() : undefined
  for (;;) {
    const items = await batchGet(storage, [tenantKey, key], { consistent: true })
    const [tenant, tombstone] = [items.get(itemId(tenantKey)), items.get(itemId(key))]
    const stored = tenant?.[attribute] as Item | undefined
    // What a session has defined anew has no revision, and its tombstone is still there.
    const known = (stored?.revision ?? tombstone?.revision) as number | undefined
    if (revision !== undefined && known !== undefined && revision <= known) {
      // The tenant is there in whatever order the changes come.
      if (op === 'put' && !tenant && embedTenantName)
        await createEmbedTenant(storage, accountId, embedTenantName)
      return false
    }
    const revised = { revision: revision ?? known }
    const value = op === 'put' ? { ...fields, ...revised, version } : undefined
    if (value) requireRoom(tenant, { ...tenant, [attribute]: value })
    const set = {
      [attribute]: value,
      ...(value && { kind: 'embedTenant', accountId, name: embedTenantName }),
      ...(value && isAttribute && { [defaultsVersion]: newVersion() }),
      version: newVersion(),
    }
    const expected = { [attribute]: stored }
    const Update = narrowUpdate(TableName, tenantKey, {
      set,
      expected,
      add: additionOfGroups(tenant, set),
    })
    // An update would make an item for a tenant that is not there.
    const ConditionCheck = { TableName, Key: tenantKey, ...ifUnchanged(tenant) }
    const Item = {
      ...key,
      kind: kind.name,
      ...tombstoneOf(kind, data, now()),
      ...revised,
      version: newVersion(),
    }
    const TransactItems = value
      ? [{ Update }, { Delete: { TableName, Key: key, ...ifUnchanged(tombstone) } }]
      : [
          stored ? { Update } : { ConditionCheck },
          { Put: { TableName, Item, ...ifUnchanged(tombstone) } },
        ]
    // A mere conflict of transactions does not come here: the storage of a writer sends the request
    // again.
    if (await conditionHeld(storage.client.send(new TransactWriteCommand({ TransactItems }))))
      return true
    await storage.pause(20)
  }
}

/** An item that is too large already may become smaller. */
function requireRoom(before: Item | undefined, after: object): void {
  const [had, has] = [before ?? {}, after].map((item) =>
    Buffer.byteLength(JSON.stringify(item)),
  ) as [number, number]
  if (has > had)
    requireAtMost(
      maxEmbedTenantBytes,
      'all definitions of the embed tenant or account would have',
      has,
    )
}
