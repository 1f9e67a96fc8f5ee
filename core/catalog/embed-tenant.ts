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
import { additionOfGroups, sumOfGroups } from '../embed-tenants/session-groups.ts'
import { countingOneLess, namedBySession } from '../embed-tenants/session-tenants.ts'
import { exactly, optional } from '../schema.ts'
import { once, pauseBeforeAgain } from '../storage/client.ts'
import {
  conditionHeld,
  ifOlderThan,
  ifUnchanged,
  newVersion,
  type Write,
} from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { type ItemKey, isLive } from '../storage/item.ts'
import { madeAnew } from '../storage/made-anew.ts'
import { time } from '../time.ts'
import { accountId } from './accounts.ts'
import { attributeDefinition, tenantGroup } from './definitions.ts'
import { type Content, kind, ownLine, tombstoneOf } from './kind.ts'

/**
 * An embed tenant's item also has its groups and definitions. Those of the catalog are things of
 * their own: the tenant's tombstone has them too, so it does not expire. Those of sessions end with
 * the tenant. A put of the tenant updates only its own fields.
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
  // Only for comparisons with dumps, since `write` stores the tenant. A dump may leave `createdAt`
  // out. Then what is stored is the time of the first mention, and that is no difference.
  item: ({ createdAt, ...data }) => data,
  /**
   * Each change of the tenant itself renews `tenantVersion`. So the condition of a call that
   * arrives late fails, also without a revision. `deletionRevision` is that of the newest deletion
   * that ended tokens.
   */
  async write({ storage, now }, { kind, key, change: { op, revision, data } }) {
    const { accountId, name } = data
    const { displayName, createdAt, deleted, identity }: Content =
      op === 'put' ? data : tombstoneOf(kind, data, now())
    const version = newVersion()
    const own = {
      kind: kind.name,
      accountId,
      name,
      displayName,
      deleted,
      identity,
      version,
      tenantVersion: version,
    }
    const { client, tables } = storage
    /** Ends the tenant's tokens with another write. Returns whether the conditions held. */
    const ending = (write: Write, isCounted = false) => {
      const revocation = endUsersRevocationKey(accountId, { embedTenantName: name })
      const counting = isCounted ? [countingOneLess(tables.catalog, accountId)] : []
      const deletion = madeAnew(() => {
        const Update = updateForDeletion(tables.sessions, revocation, now())
        return once(new TransactWriteCommand({ TransactItems: [write, { Update }, ...counting] }))
      })
      return conditionHeld(client.send(deletion))
    }
    /** Returns whether the change was applied, or undefined if the tenant has changed meanwhile. */
    const writeOnce = async () => {
      const stored = await getItem(storage, 'catalog', key)
      // This change has written the item, and the answer was lost.
      if (stored?.tenantVersion === version) return true
      const known = stored?.revision
      if (revision !== undefined && known !== undefined && revision <= known) {
        // A newer put is there, so the tenant stays. Its tokens from before the deletion end.
        if (op === 'delete') {
          const set = { version, deletionRevision: revision }
          await ending({ Update: updateIf(tables.catalog, key, ifNewerDeletion(revision), set) })
        }
        return false
      }
      const revised = revision !== undefined && { revision }
      if (op === 'put') {
        const set = {
          ...own,
          ...revised,
          ...firstNamed(accountId, name, now()),
          ...(isLive(stored) && { createdAt: stored.createdAt }),
          ...(createdAt !== undefined && { createdAt }),
        }
        const expected = { tenantVersion: stored?.tenantVersion }
        const Update = narrowUpdate(tables.catalog, key, { set, expected })
        return (await conditionHeld(client.send(new UpdateCommand(Update)))) ? true : undefined
      }
      // A deletion also removes what sessions have defined, and counts the tenant off. So the whole
      // item must still be as it was read, and is put. An update would name each definition: some
      // would be too long for DynamoDB.
      const ended = withoutSessionDefinitions(stored)
      const Item = {
        ...key,
        ...stored,
        ...own,
        ...ended,
        ...sumOfGroups(stored, additionOfGroups(stored, ended)),
        ...revised,
        ...unlisted,
        ...(revision !== undefined && { deletionRevision: revision }),
        [namedBySession]: undefined,
      }
      const Put = { TableName: tables.catalog, Item, ...ifUnchanged(stored) }
      return (await ending({ Put }, stored?.[namedBySession] === true)) ? true : undefined
    }
    let failures = 0
    for (;;) {
      try {
        const isApplied = await writeOnce()
        if (isApplied !== undefined) return isApplied
      } catch (error) {
        // The SDK repeats a put by itself. A deletion has its time in it, so it is made anew here.
        if (op === 'put') throw error
        failures += 1
        await pauseBeforeAgain(storage, failures, error)
      }
    }
  },
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

/** Sets some attributes on a condition. */
function updateIf(
  table: string,
  key: ItemKey,
  condition: ReturnType<typeof ifOlderThan>,
  set: ItemAttributes,
) {
  const unconditional = narrowUpdate(table, key, { set, expected: {} })
  const ExpressionAttributeValues = {
    ...unconditional.ExpressionAttributeValues,
    ...condition.ExpressionAttributeValues,
  }
  return { ...unconditional, ...condition, ExpressionAttributeValues }
}

/**
 * On condition that each deletion before was older. A deletion that comes again ends no tokens that
 * were issued since.
 */
const ifNewerDeletion = (revision: number): ReturnType<typeof ifOlderThan> => ({
  ...ifOlderThan(revision),
  ConditionExpression:
    'attribute_exists(revision) AND ' +
    '(attribute_not_exists(deletionRevision) OR deletionRevision < :revision)',
})
