import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { defaultsVersion, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { batchGet, type Item, type ItemKey, itemId } from '../storage/batch-get.ts'
import { newVersion } from '../storage/version.ts'
import { NotApplicable, type Outcome } from './change.ts'
import { ifUnchanged } from './conditional-put.ts'
import { createEmbedTenant } from './named-tenants.ts'
import { tombstone, tombstoneExpiry } from './tombstone.ts'
import type { Writer } from './writer.ts'

/** A change of a tenant group or attribute definition. */
export type DefinitionChange = {
  readonly kind: 'tenantGroup' | 'attributeDefinition'
  readonly revision: number | undefined
  readonly accountId: string
  /** Left out for a definition of the account itself. */
  readonly embedTenantName?: string | undefined
  /** The item that holds the definition while it is there, and in which attribute. */
  readonly holder: ItemKey
  readonly attribute: string
  /** The fields that identify the definition, and the key of the item that remembers it once it is deleted. */
  readonly identity: object
  readonly remembered: ItemKey
  /** Undefined where it is deleted. */
  readonly value: ItemAttributes | undefined
}

/** How long to wait after the first conflict, and at most, in milliseconds. */
const firstPauseMs = 10
const maxPauseMs = 1000

/**
 * A definition is one attribute of its tenant's item. Once it is deleted, an item beside it remembers it, so the
 * tenant's item stays small. Each change is a transaction that writes one of the two and removes the other, on condition
 * that both are as they were read. A put without a revision has a version, so the same put twice is not the same: a call
 * that arrives late, after others have changed the definition there and back, meets another version.
 */
export async function writeDefinition({ storage, now }: Writer, change: DefinitionChange): Promise<Outcome> {
  const version = newVersion()
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
    const items = await batchGet(storage, [change.holder, change.remembered], { consistent: true })
    const holder = items.get(itemId(change.holder))
    const remembered = items.get(itemId(change.remembered))
    const known = newest(holder?.[change.attribute] as ItemAttributes | undefined, remembered)
    if (change.revision !== undefined && known !== undefined && change.revision <= known) {
      if (change.value && !holder) await nameTenant(storage, change)
      return 'skipped'
    }
    const revised = { ...change, revision: change.revision ?? known }
    const value = change.value && { ...change.value, ...(change.revision === undefined && { version }) }
    if (change.value) requireRoom(holder, change)
    const table = storage.tables.catalog
    const transaction = value
      ? putting(table, revised, value, holder, remembered)
      : deleting(table, revised, holder, remembered, now())
    try {
      await storage.client.send(new TransactWriteCommand({ TransactItems: transaction }))
      return 'applied'
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error
      const codes = error.CancellationReasons?.map(({ Code }) => Code) ?? []
      if (!codes.some((code) => isLostRace(code))) throw error
    }
    await storage.pause(pause)
  }
}

/**
 * `ValidationError`: other additions have made the item too large meanwhile. The next attempt reads that. A mere conflict
 * of transactions does not come here: the storage of a writer sends the request again.
 */
const isLostRace = (code: string | undefined): boolean =>
  code === 'ConditionalCheckFailed' || code === 'ValidationError'

type Transaction = NonNullable<TransactWriteCommandInput['TransactItems']>

function putting(
  TableName: string,
  { kind, accountId, embedTenantName: name, holder: Key, attribute, revision, remembered }: DefinitionChange,
  value: ItemAttributes,
  holder: Item | undefined,
  tombstone: Item | undefined,
): Transaction {
  const set = {
    [attribute]: { ...value, ...(revision !== undefined && { revision }) },
    kind: 'embedTenant',
    accountId,
    ...(name !== undefined && { name }),
    ...(kind === 'attributeDefinition' && { [defaultsVersion]: newVersion() }),
    version: newVersion(),
  }
  const add = additionOfGroups(holder, set)
  const forget = { TableName, Key: remembered, ...ifUnchanged(tombstone) }
  return [
    { Update: narrowUpdate(TableName, Key, { set, expected: { [attribute]: holder?.[attribute] }, add }) },
    tombstone ? { Delete: forget } : { ConditionCheck: { ...forget, ConditionExpression: 'attribute_not_exists(pk)' } },
  ]
}

function deleting(
  TableName: string,
  { kind, holder: Key, attribute, revision, identity, remembered }: DefinitionChange,
  holder: Item | undefined,
  before: Item | undefined,
  now: number,
): Transaction {
  const Item = { ...remembered, kind, ...tombstone(identity), ...tombstoneExpiry(now), revision, version: newVersion() }
  const there = holder?.[attribute]
  const set = { [attribute]: undefined, version: newVersion() }
  const add = additionOfGroups(holder, set)
  const unchanged = narrowUpdate(TableName, Key, { set, expected: { [attribute]: there }, add })
  const isAbsent = {
    TableName,
    Key,
    ConditionExpression: 'attribute_not_exists(#a)',
    ExpressionAttributeNames: { '#a': attribute },
  }
  return [
    there === undefined ? { ConditionCheck: isAbsent } : { Update: unchanged },
    { Put: { TableName, Item, ...ifUnchanged(before) } },
  ]
}

/** Names the tenant, although the change is skipped: the tenant is there in whatever order the changes come. */
const nameTenant = (storage: Writer['storage'], { accountId, embedTenantName }: DefinitionChange) =>
  embedTenantName === undefined ? undefined : createEmbedTenant(storage, accountId, embedTenantName)

/** The newest revision. A session does not read what is remembered, so both may have one. */
function newest(...facts: readonly (ItemAttributes | undefined)[]): number | undefined {
  const known = facts.flatMap((fact) => (fact?.revision === undefined ? [] : [fact.revision as number]))
  return known.length === 0 ? undefined : Math.max(...known)
}

function requireRoom(holder: Item | undefined, { attribute, value }: DefinitionChange): void {
  const bytes = bytesOf({ ...holder, [attribute]: value })
  if (bytes <= maxEmbedTenantBytes || bytes <= bytesOf(holder ?? {})) return
  throw new NotApplicable(
    '',
    `all definitions of the embed tenant or account would take ${bytes} bytes; at most ${maxEmbedTenantBytes} are possible`,
  )
}

const bytesOf = (item: object): number => Buffer.byteLength(JSON.stringify(item))
