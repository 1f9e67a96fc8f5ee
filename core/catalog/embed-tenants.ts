import * as v from 'valibot'
import { embedTenantKey, groupKey, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name as groupName, newGroupName } from '../embed-tenants/names.ts'
import { exactly, optional, text } from '../schema.ts'
import type { Item } from '../storage/batch-get.ts'
import { newVersion } from '../storage/version.ts'
import { accountId } from './account.ts'
import { lineOf, NotApplicable } from './change.ts'
import { rewrite, tombstone } from './item.ts'
import { kind } from './kind.ts'

const named = exactly({ accountId, name: embedTenantNameInAnyCase, displayName: optional(text) })

export const embedTenant = kind({
  name: 'embedTenant',
  table: 'catalog',
  data: named,
  identity: v.object({ accountId, name: embedTenantNameInAnyCase }),
  key: ({ accountId, name }) => embedTenantKey(accountId, name),
  item: (data) => data,
  async write({ storage, now }, { op, revision, data }) {
    const key = embedTenantKey(data.accountId, data.name)
    let isNewer = true
    await rewrite(storage, 'catalog', key, (there) => {
      const known = there?.revision as number | undefined
      isNewer = revision === undefined || known === undefined || revision > known
      if (!isNewer) return undefined
      const { groups = [], attributes = [], endedGroups } = (there ?? {}) as Partial<TenantWithHistory>
      const item = {
        ...key,
        kind: 'embedTenant',
        ...(op === 'put' ? data : tombstone(data, now())),
        groups,
        attributes,
        endedGroups,
        revision: revision ?? known,
        version: newVersion(),
      }
      requireRoom(item, mostBytes[op])
      return item
    })
    return isNewer ? 'applied' : 'skipped'
  },
  lines(item, own) {
    const { accountId, name: embedTenantName } =
      item.deleted === true ? JSON.parse(item.identity as string) : (item as Item & { accountId: string; name: string })
    const { groups = [], endedGroups = [] } = item as unknown as Partial<TenantWithHistory>
    return [
      own,
      ...groups.map(({ name, description, revision }) =>
        lineOf('tenantGroup', 'put', revision, JSON.stringify({ accountId, embedTenantName, name, description })),
      ),
      ...endedGroups.map(({ name, revision }) =>
        lineOf('tenantGroup', 'delete', revision, JSON.stringify({ accountId, embedTenantName, name })),
      ),
    ]
  },
})

export const group = kind({
  name: 'group',
  table: 'catalog',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name: groupName }),
  key: ({ accountId, name }) => groupKey(accountId, name),
  item: (data) => data,
})

/** A tenant group is part of its embed tenant's item, with a revision of its own there. */
export const tenantGroup = kind({
  name: 'tenantGroup',
  table: 'catalog',
  data: exactly({
    accountId,
    embedTenantName: embedTenantNameInAnyCase,
    name: newGroupName,
    description: optional(text),
  }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name: groupName }),
  key: ({ accountId, embedTenantName }) => embedTenantKey(accountId, embedTenantName),
  item: (data) => data,
  async write({ storage }, { op, revision: given, data }) {
    const { accountId, embedTenantName, name } = data
    let isNewer = true
    await rewrite(storage, 'catalog', embedTenantKey(accountId, embedTenantName), (there) => {
      const { groups = [], attributes = [], endedGroups = [] } = (there ?? {}) as Partial<TenantWithHistory>
      const known = [...groups, ...endedGroups].find((group) => group.name === name)
      isNewer = given === undefined || known?.revision === undefined || given > known.revision
      if (!isNewer) return undefined
      const revision = given ?? known?.revision
      const description = 'description' in data ? data.description : undefined
      const others = (list: readonly RevisedGroup[]) => list.filter((group) => group.name !== name)
      const item = {
        ...there,
        ...embedTenantKey(accountId, embedTenantName),
        kind: 'embedTenant',
        accountId,
        name: embedTenantName,
        attributes,
        groups: [...others(groups), ...(op === 'put' ? [{ name, description, revision }] : [])],
        endedGroups: [
          ...others(endedGroups),
          ...(op === 'delete' && revision !== undefined ? [{ name, revision }] : []),
        ],
        version: newVersion(),
      }
      requireRoom(item, mostBytes[op])
      return item
    })
    return isNewer ? 'applied' : 'skipped'
  },
})

/** What ends finds room where nothing more may be added. */
const mostBytes = { put: maxEmbedTenantBytes, delete: 390 * 1024 }

function requireRoom(embedTenant: object, most: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(embedTenant))
  if (bytes > most) {
    throw new NotApplicable(
      '',
      `the embed tenant with its groups would take ${bytes} bytes; at most ${most} are possible`,
    )
  }
}

type RevisedGroup = { readonly name: string; readonly description?: string; readonly revision?: number }

type TenantWithHistory = {
  readonly groups: readonly RevisedGroup[]
  readonly attributes: readonly unknown[]
  readonly endedGroups: readonly RevisedGroup[]
}
