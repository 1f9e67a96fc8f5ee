import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { updateForDeletion } from '../access/revocation.ts'
import {
  definitionsIn,
  displayName,
  embedTenantKey,
  withoutSessionDefinitions,
} from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups } from '../embed-tenants/session-groups.ts'
import { countingOneLess, namedBySession } from '../embed-tenants/session-tenants.ts'
import { exactly } from '../schema.ts'
import { conditionHeld, ifOlderThan, newVersion, read } from '../storage/conditional-writes.ts'
import { accountId } from './accounts.ts'
import { attributeDefinition, tenantGroup } from './definitions.ts'
import { type Content, kind, ownLine, tombstoneOf } from './kind.ts'

/**
 * An embed tenant's item also holds its groups and definitions. Those of the catalog are things of
 * their own: its tombstone holds them too, so it does not expire. Those of sessions end with it. A
 * put of the tenant updates its own fields alone.
 */
export const embedTenant = kind({
  name: 'embedTenant',
  tombstoneStays: true,
  data: exactly({ accountId, name: embedTenantNameInAnyCase, displayName }),
  identity: v.object({ accountId, name: embedTenantNameInAnyCase }),
  key: ({ accountId, name }) => embedTenantKey(accountId, name),
  /**
   * `tenantVersion` names the tenant's own last change: a late call without a revision meets
   * another one. `deletionRevision` is that of the newest deletion that ended tokens.
   */
  async write({ storage, now }, { kind, key, change: { op, revision, data } }) {
    const { accountId, name } = data
    const { displayName, deleted, identity }: Content =
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
    const isWritten = (Update: ReturnType<typeof narrowUpdate>, isCounted = false) => {
      if (op === 'put') return conditionHeld(client.send(new UpdateCommand(Update)))
      // A deleted tenant's tokens end with it.
      const ending = { Update: updateForDeletion(tables.sessions, accountId, name, now()) }
      const counting = isCounted ? [countingOneLess(tables.catalog, accountId)] : []
      const TransactItems = [{ Update }, ending, ...counting]
      return conditionHeld(client.send(new TransactWriteCommand({ TransactItems })))
    }
    const isRevised = (set: ItemAttributes, condition: ReturnType<typeof ifOlderThan>) => {
      const update = narrowUpdate(tables.catalog, key, { set, expected: {} })
      const ExpressionAttributeValues = {
        ...update.ExpressionAttributeValues,
        ...condition.ExpressionAttributeValues,
      }
      return isWritten({ ...update, ...condition, ExpressionAttributeValues })
    }
    if (op === 'put' && revision !== undefined)
      return isRevised({ ...own, revision }, ifOlderThan(revision))
    for (;;) {
      const stored = await read(storage, 'catalog', key)
      // This change wrote it, and the answer was lost.
      if (stored?.tenantVersion === version) return true
      const known = stored?.revision as number | undefined
      if (revision !== undefined && known !== undefined && revision <= known) {
        // A newer put is there. It has not ended the tokens from before the deletion.
        await isRevised({ version, deletionRevision: revision }, ifNewerDeletion(revision))
        return false
      }
      const ended = op === 'delete' ? withoutSessionDefinitions(stored) : {}
      const set = {
        ...own,
        ...ended,
        ...(revision !== undefined && { revision, deletionRevision: revision }),
        ...(op === 'delete' && { [namedBySession]: undefined }),
      }
      // Whatever makes a tenant one that is counted renews its version. So does what a session
      // defines, which must not come between the reading of what ends and its end.
      const asRead = op === 'delete' ? 'version' : 'tenantVersion'
      const expected = { [asRead]: stored?.[asRead] }
      const add = additionOfGroups(stored, ended)
      const update = narrowUpdate(tables.catalog, key, { set, expected, add })
      if (await isWritten(update, op === 'delete' && stored?.[namedBySession] === true)) return true
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
 * On condition that the deletions before it were older, or that there was none: one that comes
 * again ends no tokens that were issued since.
 */
const ifNewerDeletion = (revision: number): ReturnType<typeof ifOlderThan> => ({
  ...ifOlderThan(revision),
  ConditionExpression:
    'attribute_exists(revision) AND ' +
    '(attribute_not_exists(deletionRevision) OR deletionRevision < :revision)',
})
