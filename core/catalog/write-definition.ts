import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { defaultsVersion, definitionsKey, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import { narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { conditionHeld } from '../storage/condition-held.ts'
import { newVersion } from '../storage/version.ts'
import { type Outcome, requireAtMost } from './change.ts'
import { ifUnchanged } from './conditional-put.ts'
import { type Parsed, tombstoneOf } from './kind.ts'
import { createEmbedTenant } from './named-tenants.ts'
import type { Writer } from './writer.ts'

/** What identifies a definition. Those of the account itself name no tenant. */
export type DefinitionIdentity = {
  readonly accountId: string
  readonly embedTenantName?: string | undefined
  readonly name: string
}

/** How long to wait after the first conflict, and at most, in milliseconds. */
const firstPauseMs = 10
const maxPauseMs = 1000

/**
 * A definition is one attribute of its tenant's item. Its tombstone is an item of its own, so the tenant's item stays
 * small. Each change is a transaction that writes one of the two and removes the other, on condition that both are as
 * they were read. A put without a revision has a version, so the same put twice is not the same: a call that arrives
 * late, after others have changed the definition there and back, meets another version.
 */
export async function writeDefinition(
  { storage, now }: Writer,
  attribute: string,
  { kind, key, change: { op, revision, data }, content }: Parsed<DefinitionIdentity, DefinitionIdentity>,
): Promise<Outcome> {
  const TableName = storage.tables.catalog
  const { accountId, embedTenantName } = data
  const tenantKey = definitionsKey(accountId, embedTenantName)
  const value = op === 'put' ? fieldsOf(content as DefinitionIdentity) : undefined
  const version = revision === undefined ? newVersion() : undefined
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const items = await batchGet(storage, [tenantKey, key], { consistent: true })
    const [tenant, tombstone] = [items.get(itemId(tenantKey)), items.get(itemId(key))]
    const stored = tenant?.[attribute]
    const known = newestRevision(stored, tombstone)
    if (revision !== undefined && known !== undefined && revision <= known) {
      // The tenant is there in whatever order the changes come.
      if (value && !tenant && embedTenantName !== undefined) {
        await createEmbedTenant(storage, accountId, embedTenantName)
      }
      return 'skipped'
    }
    if (value) requireRoom(tenant, { ...tenant, [attribute]: value })
    const revised = { revision: revision ?? known }
    const set = value
      ? {
          [attribute]: { ...value, ...revised, version },
          kind: 'embedTenant',
          accountId,
          // Stryker disable next-line ConditionalExpression: The client leaves out what is undefined.
          ...(embedTenantName !== undefined && { name: embedTenantName }),
          ...(kind.name === 'attributeDefinition' && { [defaultsVersion]: newVersion() }),
        }
      : { [attribute]: undefined }
    const update = {
      set: { ...set, version: newVersion() },
      expected: { [attribute]: stored },
      add: additionOfGroups(tenant, set),
    }
    const ofTombstone = { TableName, Key: key, ...ifUnchanged(tombstone) }
    const putTombstone = {
      TableName,
      Item: { ...key, kind: kind.name, ...tombstoneOf(kind, data, now()), ...revised, version: newVersion() },
      ...ifUnchanged(tombstone),
    }
    const TransactItems = [
      value || stored !== undefined
        ? { Update: narrowUpdate(TableName, tenantKey, update) }
        : { ConditionCheck: withoutAttribute(TableName, tenantKey, attribute) },
      value ? { [tombstone ? 'Delete' : 'ConditionCheck']: ofTombstone } : { Put: putTombstone },
    ]
    // A mere conflict of transactions does not come here: the storage of a writer sends the request again.
    if (await conditionHeld(storage.client.send(new TransactWriteCommand({ TransactItems })))) return 'applied'
    await storage.pause(pause)
  }
}

/** The fields of a definition besides those that identify it. */
function fieldsOf({ accountId: _, embedTenantName: __, name: ___, ...fields }: DefinitionIdentity): object {
  return fields
}

/** A check that an item has no such attribute. An update would make an item for a tenant that is not there. */
const withoutAttribute = (TableName: string, Key: ItemKey, attribute: string) => ({
  TableName,
  Key,
  ConditionExpression: 'attribute_not_exists(#a)',
  ExpressionAttributeNames: { '#a': attribute },
})

/** The newest revision. A session does not read tombstones, so both may have one. */
function newestRevision(...facts: readonly unknown[]): number | undefined {
  const known = facts.flatMap((fact) => (fact as { revision?: number } | undefined)?.revision ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}

/** An item that is too large already may become smaller. */
function requireRoom(before: Item | undefined, after: object): void {
  if (bytesOf(after) <= bytesOf(before ?? {})) return
  requireAtMost(maxEmbedTenantBytes, 'all definitions of the embed tenant or account would have', bytesOf(after))
}

const bytesOf = (item: object): number => Buffer.byteLength(JSON.stringify(item))
