import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import {
  AttributeDefinition,
  bytesOf,
  defaultsVersion,
  definitionAttribute,
  definitionIn,
  definitionsKey,
  firstNamed,
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
import { batchGet } from '../storage/batch-get.ts'
import { conditionHeld, ifUnchanged, newVersion } from '../storage/conditional-writes.ts'
import { type Item, type ItemKey, itemId } from '../storage/item.ts'
import { key } from '../storage/keys.ts'
import { accountId } from './accounts.ts'
import {
  type Content,
  isOutdated,
  itemOfChange,
  kind,
  NotApplicable,
  type Parsed,
  requireAtMost,
  type Writer,
} from './kind.ts'
import { createEmbedTenant } from './named-tenants.ts'

export const group = kind({
  name: 'group',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name }),
  key: ({ accountId, name }) => groupKey(accountId, name),
})

/** What identifies a definition. A definition of the account itself names no tenant. */
type Identity = {
  readonly accountId: string
  readonly embedTenantName?: string | undefined
  readonly name: string
}

/** The tombstone of a definition is in the partition of its embed tenant or account. */
const tombstoneKey = (
  type: 'group' | 'attribute',
  { accountId, embedTenantName, name }: Identity,
) => ({ ...definitionsKey(accountId, embedTenantName), sk: key(type, name) })

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

const withoutIdentity = ({ accountId, embedTenantName, name, ...fields }: Content): Content =>
  fields

/**
 * Writes a definition, which is one attribute of its tenant's item. Its tombstone is an item of its
 * own, so the tenant's item stays small. A transaction writes one of the two and removes the other,
 * on condition that both are as they were read. A put without a revision leaves a version. So a
 * late call fails, even if others have changed the definition and changed it back.
 */
async function writeDefinition(
  { storage, now }: Writer,
  parsed: Parsed<Identity, Identity>,
): Promise<boolean> {
  const { kind, key, change, content } = parsed
  const { op, revision, data } = change
  const { accountId, embedTenantName, name } = data
  const attribute = kind.name === 'tenantGroup' ? groupAttribute(name) : definitionAttribute(name)
  const tenantKey = definitionsKey(accountId, embedTenantName)
  const version = revision === undefined ? newVersion() : undefined
  for (;;) {
    const items = await batchGet(storage, [tenantKey, key], { consistent: true })
    const tenant = items.get(itemId(tenantKey))
    const tombstone = items.get(itemId(key))
    const stored = definitionIn(tenant, attribute)
    // A session's definition has no revision, and leaves an older tombstone in place.
    const known = stored?.revision ?? tombstone?.revision
    if (isOutdated(revision, known)) {
      // The newer change may be a deletion, and a deletion creates no tenant. This put creates the
      // tenant, as if the put had come first.
      if (op === 'put' && !tenant && embedTenantName)
        await createEmbedTenant(storage, accountId, embedTenantName, now())
      return false
    }
    const TableName = storage.tables.catalog
    const place = { TableName, tenantKey, tenant, attribute, stored }
    const revised = { revision: revision ?? known }
    const value = { ...withoutIdentity(content), ...revised, version }
    const Item = { ...itemOfChange(parsed, now()), ...revised }
    const asRead = ifUnchanged(tombstone)
    const TransactItems =
      op === 'put'
        ? [writeToSet(place, data, value, now()), { Delete: { TableName, Key: key, ...asRead } }]
        : [writeToRemove(place), { Put: { TableName, Item, ...asRead } }]
    // False means a failed condition. After a conflict of transactions, the writer's storage itself
    // sends the request again.
    if (await conditionHeld(storage.client.send(new TransactWriteCommand({ TransactItems }))))
      return true
    await storage.pause(20)
  }
}

/** The attribute of the tenant's item that has the definition, and what was read of both. */
type Place = {
  readonly TableName: string
  readonly tenantKey: ItemKey
  readonly tenant: Item | undefined
  readonly attribute: string
  readonly stored: ReturnType<typeof definitionIn>
}

/** Sets the definition. Creates the embed tenant if there is none. */
function writeToSet(
  { TableName, tenantKey, tenant, attribute, stored }: Place,
  { accountId, embedTenantName, name }: Identity,
  value: Content,
  now: number,
) {
  const isNewTenant = !tenant && embedTenantName !== undefined
  requireRoom(tenant, { ...tenant, [attribute]: value })
  const set = {
    [attribute]: value,
    kind: 'embedTenant',
    accountId,
    name: embedTenantName,
    ...(attribute === definitionAttribute(name) && { [defaultsVersion]: newVersion() }),
    ...(isNewTenant && firstNamed(accountId, embedTenantName, now)),
    version: newVersion(),
  }
  // If somebody has created and deleted the tenant meanwhile, this write would put the tombstone
  // in a list. If a purge has removed the tenant meanwhile, this write would make a tenant that is
  // in no list. So the write must fail in both cases.
  const expected = {
    [attribute]: stored,
    createdAt: tenant?.createdAt,
    ...(isNewTenant && { version: undefined }),
  }
  const add = additionOfGroups(tenant, set)
  return { Update: narrowUpdate(TableName, tenantKey, { set, expected, add }) }
}

function writeToRemove({ TableName, tenantKey, tenant, attribute, stored }: Place) {
  // An update would make an item for a tenant that is not there.
  if (!stored) return { ConditionCheck: { TableName, Key: tenantKey, ...ifUnchanged(tenant) } }
  const set = { [attribute]: undefined, version: newVersion() }
  const add = additionOfGroups(tenant, set)
  const expected = { [attribute]: stored }
  return { Update: narrowUpdate(TableName, tenantKey, { set, expected, add }) }
}

/** An item that is too large already may become smaller. */
function requireRoom(before: Item | undefined, after: object): void {
  const bytes = bytesOf(after)
  if (bytes <= bytesOf(before ?? {})) return
  const what = 'all definitions of the embed tenant or account would have'
  requireAtMost(maxEmbedTenantBytes, what, bytes)
}
