import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { endUsersRevocationKey, updateForDeletion } from '../access/revocation.ts'
import {
  definitionsIn,
  displayName,
  embedTenantKey,
  firstNamed,
  unlisted,
  withoutSessionDefinitions,
} from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { sumOfGroups } from '../embed-tenants/session-groups.ts'
import { countingOneLess, namedBySession } from '../embed-tenants/session-tenants.ts'
import { exactly, optional } from '../schema.ts'
import { once, pauseBeforeRetry } from '../storage/client.ts'
import {
  conditionHeld,
  ifUnchanged,
  newVersion,
  type Write,
} from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { type Item, isLive } from '../storage/item.ts'
import { madeAnew } from '../storage/made-anew.ts'
import { time } from '../time.ts'
import { accountId } from './accounts.ts'
import { attributeDefinition, tenantGroup } from './definitions.ts'
import { isOutdated, itemOfChange, kind, ownLine, type Parsed, type Writer } from './kind.ts'

type Tenant = { readonly accountId: string; readonly name: string }
type Fields = Tenant & { readonly displayName?: string; readonly createdAt?: string }
type TenantChange = Parsed<Fields, Tenant>

/**
 * An embed tenant's item also has its groups and attribute definitions. What the catalog defines is
 * a thing of its own: the tenant's tombstone keeps it, so the tombstone does not expire. What
 * sessions define ends with the tenant. A put of the tenant updates only the tenant's own fields.
 */
export const embedTenant = kind({
  name: 'embedTenant',
  tombstoneStays: true,
  data: exactly({
    accountId,
    name: embedTenantNameInAnyCase,
    displayName,
    createdAt: optional(time),
  }),
  identity: v.object({ accountId, name: embedTenantNameInAnyCase }),
  key: ({ accountId, name }) => embedTenantKey(accountId, name),
  // Only comparisons with dumps use this, because `write` stores the tenant. They ignore
  // `createdAt`: a dump may lack it, and the item then has the time of the tenant's first mention.
  item: ({ createdAt, ...data }) => data,
  write: writeTenant,
  /** The item where an account keeps its own definitions has no name, and is no tenant. */
  lines(item, kind) {
    const { pk, accountId, name: embedTenantName } = item
    const { groups, attributes } = definitionsIn(item)
    const tenant = { pk, accountId, embedTenantName }
    return [
      ...(embedTenantName === undefined ? [] : [ownLine(kind, item)]),
      ...groups.map((group) => ownLine(tenantGroup, { ...group, ...tenant })),
      ...attributes.map((attribute) => ownLine(attributeDefinition, { ...attribute, ...tenant })),
    ]
  },
})

/**
 * Each change of the tenant itself renews `tenantVersion`. A call that arrives late expects an
 * older `tenantVersion`, so its condition fails. If it has no revision, nothing else stops it.
 */
async function writeTenant(writer: Writer, parsed: TenantChange): Promise<boolean> {
  const { storage } = writer
  const { op, revision } = parsed.change
  const version = newVersion()
  // The SDK tries each write once: a deletion has its time in it, and must be made anew.
  let failures = 0
  for (;;) {
    try {
      const stored = await getItem(storage, 'catalog', parsed.key)
      // An earlier attempt has written the item, but its answer was lost.
      if (stored?.tenantVersion === version) return true
      if (isOutdated(revision, stored?.revision)) {
        if (op === 'delete') await endTokensLate(writer, parsed)
        return false
      }
      const write = op === 'put' ? put : remove
      if (await write(writer, parsed, stored, version)) return true
    } catch (error) {
      failures += 1
      await pauseBeforeRetry(storage, failures, error)
    }
  }
}

/** What every change of the tenant itself writes. */
const attributesOf = (
  { kind, change: { revision, data } }: TenantChange,
  version: string,
): ItemAttributes => ({
  kind: kind.name,
  accountId: data.accountId,
  name: data.name,
  version,
  tenantVersion: version,
  ...(revision !== undefined && { revision }),
})

/** @returns false if the tenant has changed since it was read */
function put(
  { storage: { client, tables }, now }: Writer,
  parsed: TenantChange,
  stored: Item | undefined,
  version: string,
): Promise<boolean> {
  const { accountId, name, displayName, createdAt }: Fields = parsed.change.data
  const listed = firstNamed(accountId, name, now())
  const firstNamedAt = isLive(stored) ? stored.createdAt : listed.createdAt
  const set = {
    ...attributesOf(parsed, version),
    ...listed,
    displayName,
    createdAt: createdAt ?? firstNamedAt,
    deleted: undefined,
    identity: undefined,
  }
  const expected = { tenantVersion: stored?.tenantVersion }
  const Update = narrowUpdate(tables.catalog, parsed.key, { set, expected })
  return conditionHeld(client.send(once(new UpdateCommand(Update))))
}

/**
 * Deletes the tenant and what sessions have defined in it. If a session first named the tenant, the
 * count of such tenants becomes one less. This puts the whole item, on condition that it is as it
 * was read. An update would name each definition, and could be too long for DynamoDB.
 * @returns false if the item has changed since it was read
 */
function remove(
  writer: Writer,
  parsed: TenantChange,
  stored: Item | undefined,
  version: string,
): Promise<boolean> {
  const { revision, data } = parsed.change
  const TableName = writer.storage.tables.catalog
  const ended = withoutSessionDefinitions(stored)
  const Item = {
    ...stored,
    ...itemOfChange(parsed, writer.now()),
    ...attributesOf(parsed, version),
    ...ended,
    ...sumOfGroups(stored, ended),
    ...unlisted,
    ...(revision !== undefined && { deletionRevision: revision }),
    displayName: undefined,
    [namedBySession]: undefined,
  }
  return endTokens(writer, data, [
    { Put: { TableName, Item, ...ifUnchanged(stored) } },
    ...(stored?.[namedBySession] === true ? [countingOneLess(TableName, data.accountId)] : []),
  ])
}

/**
 * A newer put came first, so the tenant stays. The deletion still ends the tokens that the tenant
 * has now. Each deletion ends tokens only once, because a second time would also end newer tokens.
 * `deletionRevision` says whether this deletion or a newer one has already ended tokens.
 */
function endTokensLate(writer: Writer, { key, change }: TenantChange): Promise<boolean> {
  const Update = {
    TableName: writer.storage.tables.catalog,
    Key: key,
    UpdateExpression: 'SET version = :version, deletionRevision = :revision',
    ConditionExpression:
      'attribute_exists(revision) AND ' +
      '(attribute_not_exists(deletionRevision) OR deletionRevision < :revision)',
    ExpressionAttributeValues: { ':version': newVersion(), ':revision': change.revision },
  }
  return endTokens(writer, change.data, [{ Update }])
}

/** Ends the tenant's tokens with other writes. Returns whether the conditions of these held. */
function endTokens(
  { storage: { client, tables }, now }: Writer,
  { accountId, name }: Tenant,
  writes: readonly Write[],
): Promise<boolean> {
  const revocation = endUsersRevocationKey(accountId, { embedTenantName: name })
  const transaction = madeAnew(() => {
    const Update = updateForDeletion(tables.sessions, revocation, now())
    return once(new TransactWriteCommand({ TransactItems: [...writes, { Update }] }))
  })
  return conditionHeld(client.send(transaction))
}
