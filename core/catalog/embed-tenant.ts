import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { definitionsIn, displayName, embedTenantKey } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase } from '../embed-tenants/names.ts'
import { narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { exactly } from '../schema.ts'
import { newVersion } from '../storage/version.ts'
import { accountId } from './account.ts'
import { lineOf } from './change.ts'
import { tombstone } from './item.ts'
import { kind } from './kind.ts'

/**
 * An embed tenant's item also holds its groups and definitions, which are things of their own. So a change of the tenant is
 * an update of its own fields. Its tombstone does not expire: they are in it, and count again when the tenant is back.
 */
export const embedTenant = kind({
  name: 'embedTenant',
  table: 'catalog',
  data: exactly({ accountId, name: embedTenantNameInAnyCase, displayName }),
  identity: v.object({ accountId, name: embedTenantNameInAnyCase }),
  key: ({ accountId, name }) => embedTenantKey(accountId, name),
  item: (data) => data,
  async write({ storage, now }, { op, revision, data }) {
    const { accountId, name } = data
    const { deleted, identity } = op === 'delete' ? tombstone(data, now()) : {}
    const displayName = op === 'put' ? data.displayName : undefined
    const revised = revision === undefined ? {} : { revision }
    const set = {
      kind: 'embedTenant',
      accountId,
      name,
      displayName,
      deleted,
      identity,
      ...revised,
      version: newVersion(),
    }
    const update = narrowUpdate(storage.tables.catalog, embedTenantKey(accountId, name), { set, asRead: {} })
    try {
      await storage.client.send(
        new UpdateCommand(revision === undefined ? update : { ...update, ...isNewer(update, revision) }),
      )
      return 'applied'
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'skipped'
      throw error
    }
  },
  /** The item where an account keeps its own definitions has no name, and is no tenant. */
  lines(item, own) {
    const { accountId, name: embedTenantName } = item
    const { groups, attributes } = definitionsIn(item)
    const line = (kind: string, revision: unknown, data: object) => lineOf(kind, 'put', revision, JSON.stringify(data))
    return [
      ...(embedTenantName === undefined ? [] : [own()]),
      ...groups.map(({ name, description, revision }) =>
        line('tenantGroup', revision, { accountId, embedTenantName, name, description }),
      ),
      ...attributes.map(({ name, type, defaultValue, description, displayName, revision }) =>
        line('attributeDefinition', revision, {
          accountId,
          embedTenantName,
          name,
          type,
          defaultValue,
          description,
          displayName,
        }),
      ),
    ]
  },
})

const isNewer = ({ ExpressionAttributeValues }: ReturnType<typeof narrowUpdate>, revision: number) => ({
  ConditionExpression: 'attribute_not_exists(revision) OR revision < :revision',
  ExpressionAttributeValues: { ...ExpressionAttributeValues, ':revision': revision },
})
