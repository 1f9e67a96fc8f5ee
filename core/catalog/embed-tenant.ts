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
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { countingOneLess, namedBySession } from '../embed-tenants/session-tenants.ts'
import { exactly, optional } from '../schema.ts'
import { conditionHeld, ifOlderThan, newVersion } from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import { isLive } from '../storage/item.ts'
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
  // A dump without the time does not differ from a tenant whose time is that of its first mention.
  item: ({ createdAt, ...data }) => data,
  /**
   * `tenantVersion` names the last change of the tenant itself: a late call without a revision
   * finds another one. `deletionRevision` is that of the newest deletion that ended tokens.
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
    /** Returns whether the condition of the update held, so that it was done. */
    const update = (Update: ReturnType<typeof narrowUpdate>, isCounted = false) => {
      if (op === 'put') return conditionHeld(client.send(new UpdateCommand(Update)))
      // A deleted tenant's tokens end with it.
      const revocation = endUsersRevocationKey(accountId, { embedTenantName: name })
      const ending = { Update: updateForDeletion(tables.sessions, revocation, now()) }
      const counting = isCounted ? [countingOneLess(tables.catalog, accountId)] : []
      const TransactItems = [{ Update }, ending, ...counting]
      return conditionHeld(client.send(new TransactWriteCommand({ TransactItems })))
    }
    const updateIf = (condition: ReturnType<typeof ifOlderThan>, set: ItemAttributes) => {
      const unconditional = narrowUpdate(tables.catalog, key, { set, expected: {} })
      const ExpressionAttributeValues = {
        ...unconditional.ExpressionAttributeValues,
        ...condition.ExpressionAttributeValues,
      }
      return update({ ...unconditional, ...condition, ExpressionAttributeValues })
    }
    for (;;) {
      const stored = await getItem(storage, 'catalog', key)
      // This change has written the item, and the answer was lost.
      if (stored?.tenantVersion === version) return true
      const known = stored?.revision
      if (revision !== undefined && known !== undefined && revision <= known) {
        // A newer put is there. It has not ended the tokens from before the deletion.
        if (op === 'delete')
          await updateIf(ifNewerDeletion(revision), { version, deletionRevision: revision })
        return false
      }
      const ended = op === 'delete' ? withoutSessionDefinitions(stored) : {}
      const set = {
        ...own,
        ...ended,
        ...(revision !== undefined && { revision }),
        ...(op === 'delete'
          ? {
              ...unlisted,
              ...(revision !== undefined && { deletionRevision: revision }),
              [namedBySession]: undefined,
            }
          : {
              ...firstNamed(accountId, name, now()),
              ...(isLive(stored) && { createdAt: stored.createdAt }),
              ...(createdAt !== undefined && { createdAt }),
            }),
      }
      // A write that makes a tenant a counted one renews its version. So does a session's
      // definition, which must not come between the reading of what ends and its end.
      const asRead = op === 'delete' ? 'version' : 'tenantVersion'
      const expected = { [asRead]: stored?.[asRead] }
      const add = additionOfGroups(stored, ended)
      const isCounted = op === 'delete' && stored?.[namedBySession] === true
      if (await update(narrowUpdate(tables.catalog, key, { set, expected, add }), isCounted))
        return true
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
