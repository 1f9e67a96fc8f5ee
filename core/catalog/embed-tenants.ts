import * as v from 'valibot'
import { embedTenantKey, embedTenantOf, groupKey, maxEmbedTenantBytes } from '../embed-tenants/embed-tenant.ts'
import { embedTenantNameInAnyCase, name as groupName, newGroupName } from '../embed-tenants/names.ts'
import { exactly, optional, text } from '../schema.ts'
import { accountId } from './accounts.ts'
import { kind } from './kind.ts'
import { endRecord, isBehind, NotApplicable, putRecord } from './record.ts'

export const embedTenant = kind({
  table: 'catalog',
  data: exactly({ accountId, name: embedTenantNameInAnyCase, displayName: optional(text) }),
  identity: v.object({ accountId, name: embedTenantNameInAnyCase }),
  key: ({ accountId, name }) => embedTenantKey(accountId, name),
  async apply({ storage }, change, { previous }) {
    const { accountId, name } = change.data
    const key = embedTenantKey(accountId, name)
    if (change.op === 'delete') {
      await endRecord(storage, 'catalog', previous, key, change.revision)
      return 'applied'
    }
    const { groups = [], attributes = [], endedGroups } = (embedTenantOf(previous) ?? {}) as Partial<TenantWithHistory>
    const item = { ...key, name, displayName: change.data.displayName, groups, attributes, endedGroups }
    requireRoom(item, mostBytes.put)
    await putRecord(storage, 'catalog', previous, item, change.revision)
    return 'applied'
  },
})

export const group = kind({
  table: 'catalog',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name: groupName }),
  key: ({ accountId, name }) => groupKey(accountId, name),
  async apply({ storage }, change, { previous }) {
    const key = groupKey(change.data.accountId, change.data.name)
    if (change.op === 'delete') await endRecord(storage, 'catalog', previous, key, change.revision)
    else await putRecord(storage, 'catalog', previous, { ...key, ...change.data }, change.revision)
    return 'applied'
  },
})

/** A tenant group is part of its embed tenant's item, with a revision of its own there. */
export const tenantGroup = kind({
  table: 'catalog',
  inTurn: true,
  revisedWithin: true,
  data: exactly({
    accountId,
    embedTenantName: embedTenantNameInAnyCase,
    name: newGroupName,
    description: optional(text),
  }),
  identity: v.object({ accountId, embedTenantName: embedTenantNameInAnyCase, name: groupName }),
  key: ({ accountId, embedTenantName }) => embedTenantKey(accountId, embedTenantName),
  async apply({ storage }, change, { previous }) {
    const { accountId, embedTenantName, name } = change.data
    const tenant = embedTenantOf(previous)
    const { groups = [], attributes = [], endedGroups = [] } = (tenant ?? {}) as Partial<TenantWithHistory>
    const known = [...groups, ...endedGroups].find((group) => group.name === name)
    if (isBehind(change.revision, known as never)) return 'skipped'

    const revision = change.revision ?? known?.revision
    const description = change.op === 'put' ? change.data.description : undefined
    const others = (list: readonly RevisedGroup[]) => list.filter((group) => group.name !== name)
    const item = {
      ...previous,
      ...embedTenantKey(accountId, embedTenantName),
      deleted: undefined,
      name: embedTenantName,
      attributes,
      groups: [...others(groups), ...(change.op === 'put' ? [{ name, description, revision }] : [])],
      endedGroups: [
        ...others(endedGroups),
        ...(change.op === 'delete' && revision !== undefined ? [{ name, revision }] : []),
      ],
    }
    requireRoom(item, mostBytes[change.op])
    await putRecord(storage, 'catalog', previous, item, undefined)
    return 'applied'
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
