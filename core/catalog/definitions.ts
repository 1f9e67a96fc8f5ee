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
  type Kind,
  kind,
  NotApplicable,
  type Outcome,
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
type Identity = { readonly accountId: string; readonly embedTenantName?: string | undefined; readonly name: string }

/** A kind of things that are in the item of their embed tenant, or of their account. Their tombstones are beside it. */
const definitionKind = <Data extends Identity>(
  type: 'group' | 'attribute',
  rest: Pick<Kind<Data, Identity>, 'name' | 'data' | 'identity'> & Partial<Pick<Kind<Data, Identity>, 'item'>>,
) =>
  kind<Data, Identity>({
    ...rest,
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
})

const embedTenantName = optional(embedTenantNameInAnyCase)

/** A user attribute of an embed tenant, which it names, or of the account's sessions without one. */
export const attributeDefinition = definitionKind('attribute', {
  name: 'attributeDefinition',
  data: exactly({ accountId, embedTenantName, ...AttributeDefinition.entries }),
  identity: v.object({ accountId, embedTenantName, name }),
  item(data) {
    const definition = withTypedDefault(data)
    if (typeof definition === 'string') throw new NotApplicable('/data/defaultValue', definition)
    return definition
  },
})

/**
 * A definition is one attribute of its tenant's item. Its tombstone is an item of its own, so the tenant's item stays
 * small. A transaction writes one of the two and removes the other, on condition that both are as they were read. A put
 * without a revision has a version, so a call that arrives late, after others changed it there and back, meets another one.
 */
async function writeDefinition(
  { storage, now }: Writer,
  attribute: string,
  { kind, key, change: { op, revision, data }, content }: Parsed<Identity, Identity>,
): Promise<Outcome> {
  const TableName = storage.tables.catalog
  const { accountId, embedTenantName } = data
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
      if (op === 'put' && !tenant && embedTenantName !== undefined) {
        await createEmbedTenant(storage, accountId, embedTenantName)
      }
      return 'skipped'
    }
    const revised = { revision: revision ?? known }
    const value = op === 'put' ? { ...fields, ...revised, version } : undefined
    if (value) requireRoom(tenant, { ...tenant, [attribute]: value })
    const set = {
      [attribute]: value,
      ...(value && { kind: 'embedTenant', accountId, name: embedTenantName }),
      ...(value && kind.name === 'attributeDefinition' && { [defaultsVersion]: newVersion() }),
      version: newVersion(),
    }
    const expected = { [attribute]: stored }
    const Update = narrowUpdate(TableName, tenantKey, { set, expected, add: additionOfGroups(tenant, set) })
    // An update would make an item for a tenant that is not there.
    const ConditionCheck = {
      TableName,
      Key: tenantKey,
      ConditionExpression: 'attribute_not_exists(#a)',
      ExpressionAttributeNames: { '#a': attribute },
    }
    const Item = { ...key, kind: kind.name, ...tombstoneOf(kind, data, now()), ...revised, version: newVersion() }
    const TransactItems = value
      ? [{ Update }, { Delete: { TableName, Key: key, ...ifUnchanged(tombstone) } }]
      : [stored ? { Update } : { ConditionCheck }, { Put: { TableName, Item, ...ifUnchanged(tombstone) } }]
    // A mere conflict of transactions does not come here: the storage of a writer sends the request again.
    if (await conditionHeld(storage.client.send(new TransactWriteCommand({ TransactItems })))) return 'applied'
    await storage.pause(20)
  }
}

/** An item that is too large already may become smaller. */
function requireRoom(before: Item | undefined, after: object): void {
  const [had, has] = [before ?? {}, after].map((item) => Buffer.byteLength(JSON.stringify(item))) as [number, number]
  if (has > had) requireAtMost(maxEmbedTenantBytes, 'all definitions of the embed tenant or account would have', has)
}
