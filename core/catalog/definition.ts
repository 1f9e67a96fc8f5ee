import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { defaultsVersion, definitionsKey, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { key } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { newVersion } from '../storage/version.ts'
import { type Change, NotApplicable, type Outcome } from './change.ts'
import { ifUnchanged } from './conditional-put.ts'
import { type Kind, kind } from './kind.ts'
import { createEmbedTenant } from './named-tenants.ts'
import { tombstone, tombstoneExpiry } from './tombstone.ts'
import type { Writer } from './writer.ts'

/** What identifies a definition. Those of the account itself name no tenant. */
type Identity = {
  readonly accountId: string
  readonly embedTenantName?: string | undefined
  readonly name: string
}

/** How the kinds of definitions differ. */
type DefinitionKind<Data extends Identity> = Pick<Kind<Data, Identity>, 'data' | 'identity'> & {
  readonly name: 'tenantGroup' | 'attributeDefinition'
  item(data: Data): Data
  /** The attribute of the tenant's item that holds the definition. */
  attributeOf(name: string): string
  /** The beginning of the sort keys of tombstones. */
  readonly tombstones: 'group' | 'attribute'
}

/** A kind of things that are in the item of their embed tenant, or of their account. */
export const definitionKind = <Data extends Identity>(definitions: DefinitionKind<Data>) =>
  kind<Data, Identity>({
    name: definitions.name,
    table: 'catalog',
    data: definitions.data,
    identity: definitions.identity,
    key: (identity) => tombstoneKey(definitions, identity),
    item: definitions.item,
    write: (writer, change) => writeDefinition(writer, definitions, change),
  })

const tenantItemKey = ({ accountId, embedTenantName }: Identity) => definitionsKey(accountId, embedTenantName)

const tombstoneKey = ({ tombstones }: Pick<DefinitionKind<never>, 'tombstones'>, identity: Identity) => ({
  ...tenantItemKey(identity),
  sk: key(tombstones, identity.name),
})

/** How long to wait after the first conflict, and at most, in milliseconds. */
const firstPauseMs = 10
const maxPauseMs = 1000

/**
 * A definition is one attribute of its tenant's item. Its tombstone is an item of its own, so the tenant's item stays
 * small. Each change is a transaction that writes one of the two and removes the other, on condition that both are as
 * they were read. A put without a revision has a version, so the same put twice is not the same: a call that arrives
 * late, after others have changed the definition there and back, meets another version.
 */
async function writeDefinition<Data extends Identity>(
  { storage, now }: Writer,
  definitions: DefinitionKind<Data>,
  { op, revision, data }: Change<Data, Identity>,
): Promise<Outcome> {
  const { accountId, embedTenantName, name } = data
  const identity = { accountId, embedTenantName, name }
  const attribute = definitions.attributeOf(name)
  const value = op === 'put' ? fieldsOf(definitions.item(data)) : undefined
  const version = revision === undefined ? newVersion() : undefined
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const stored = await readStored(storage, tenantItemKey(identity), tombstoneKey(definitions, identity))
    const known = newestRevision(stored.tenant?.[attribute], stored.tombstone)
    if (revision !== undefined && known !== undefined && revision <= known) {
      // The tenant is there in whatever order the changes come.
      if (value && !stored.tenant && embedTenantName !== undefined) {
        await createEmbedTenant(storage, accountId, embedTenantName)
      }
      return 'skipped'
    }
    if (value) requireRoom(stored.tenant, { ...stored.tenant, [attribute]: value })
    const revised = { revision: revision ?? known }
    const actions = value
      ? putting(storage, stored, attribute, {
          [attribute]: { ...value, ...revised, version },
          kind: 'embedTenant',
          accountId,
          ...(embedTenantName !== undefined && { name: embedTenantName }),
          ...(definitions.name === 'attributeDefinition' && { [defaultsVersion]: newVersion() }),
        })
      : deleting(storage, stored, attribute, {
          kind: definitions.name,
          ...tombstone(identity),
          ...tombstoneExpiry(now()),
          ...revised,
        })
    if (await isWritten(storage, actions)) return 'applied'
    await storage.pause(pause)
  }
}

/** The fields of a definition besides those that identify it. */
function fieldsOf({ accountId: _, embedTenantName: __, name: ___, ...fields }: Identity): object {
  return fields
}

/** What was read of a definition: the items of its tenant and of its tombstone. */
type Stored = {
  readonly tenantKey: ItemKey
  readonly tenant: Item | undefined
  readonly tombstoneKey: ItemKey
  readonly tombstone: Item | undefined
}

async function readStored(storage: Storage, tenantKey: ItemKey, tombstoneKey: ItemKey): Promise<Stored> {
  const items = await batchGet(storage, [tenantKey, tombstoneKey], { consistent: true })
  const [tenant, tombstone] = [items.get(itemId(tenantKey)), items.get(itemId(tombstoneKey))]
  return { tenantKey, tenant, tombstoneKey, tombstone }
}

/** The newest revision. A session does not read tombstones, so both may have one. */
function newestRevision(...facts: readonly unknown[]): number | undefined {
  const known = facts.flatMap((fact) => (fact as { revision?: number } | undefined)?.revision ?? [])
  return known.length === 0 ? undefined : Math.max(...known)
}

function requireRoom(before: Item | undefined, after: object): void {
  const bytes = bytesOf(after)
  if (bytes <= maxEmbedTenantBytes || bytes <= bytesOf(before ?? {})) return
  throw new NotApplicable(
    '',
    `all definitions of the embed tenant or account would have ${bytes} bytes; the limit is ${maxEmbedTenantBytes}`,
  )
}

const bytesOf = (item: object): number => Buffer.byteLength(JSON.stringify(item))

type Actions = NonNullable<TransactWriteCommandInput['TransactItems']>

function putting({ tables }: Storage, stored: Stored, attribute: string, set: ItemAttributes): Actions {
  const tombstone = { TableName: tables.catalog, Key: stored.tombstoneKey, ...ifUnchanged(stored.tombstone) }
  return [
    updateOf(tables.catalog, stored, attribute, set),
    stored.tombstone ? { Delete: tombstone } : { ConditionCheck: tombstone },
  ]
}

function deleting({ tables }: Storage, stored: Stored, attribute: string, tombstone: ItemAttributes): Actions {
  const isAbsent = {
    TableName: tables.catalog,
    Key: stored.tenantKey,
    ConditionExpression: 'attribute_not_exists(#a)',
    ExpressionAttributeNames: { '#a': attribute },
  }
  const Item = { ...stored.tombstoneKey, ...tombstone, version: newVersion() }
  return [
    stored.tenant?.[attribute] === undefined
      ? { ConditionCheck: isAbsent }
      : updateOf(tables.catalog, stored, attribute, { [attribute]: undefined }),
    { Put: { TableName: tables.catalog, Item, ...ifUnchanged(stored.tombstone) } },
  ]
}

/** An update of the tenant's item, on condition that the definition is as it was read. */
function updateOf(TableName: string, { tenantKey, tenant }: Stored, attribute: string, set: ItemAttributes) {
  const change = {
    set: { ...set, version: newVersion() },
    expected: { [attribute]: tenant?.[attribute] },
    add: additionOfGroups(tenant, set),
  }
  return { Update: narrowUpdate(TableName, tenantKey, change) }
}

/**
 * Whether the transaction was written. `ValidationError`: other additions have made the item too large meanwhile. The next
 * attempt reads that. A mere conflict of transactions does not come here: the storage of a writer sends the request again.
 */
async function isWritten({ client }: Storage, TransactItems: Actions): Promise<boolean> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems }))
    return true
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : []
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed' || Code === 'ValidationError')) return false
    throw error
  }
}
