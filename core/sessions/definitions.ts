import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import {
  type AttributeDefinition,
  embedTenantOf,
  maxEmbedTenantBytes,
  type TenantGroup,
} from '../embed-tenants/embed-tenant.ts'
import { Refusal } from '../refusal.ts'
import type { Item, ItemKey } from '../storage/batch-get.ts'
import type { GenerateSession } from './request.ts'

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** The definitions in force once the session exists, and the write that brings them, if any is needed. */
export type Definitions = {
  readonly groups: readonly TenantGroup[]
  readonly attributes: readonly AttributeDefinition[]
  readonly change?: (catalogTable: string) => TransactItem
}

/**
 * What the request makes of the stored definitions (specification, "Generate an embed session", rule 6): each is
 * created or updated, none is removed, and the embed tenant comes to exist when first named. Most requests say nothing
 * new, and then nothing is written.
 * @param key where they are stored: at the embed tenant if one is named, else at the account
 */
export function definitionsAfter(request: GenerateSession, key: ItemKey, stored: Item | undefined): Definitions {
  const before = embedTenantOf(stored)
  const groups = merged(before?.groups ?? [], request.tenantGroupDefinitions ?? [])
  const attributes = merged(before?.attributes ?? [], request.userAttributeDefinitions ?? [])
  const displayName = request.embedTenantProfile?.displayName ?? before?.displayName
  const named = request.embedTenantName !== undefined && before === undefined
  const changed = groups.changed || attributes.changed || displayName !== before?.displayName
  if (!named && !changed) return { groups: groups.all, attributes: attributes.all }

  const version = (stored?.version as number | undefined) ?? 0
  const item = {
    ...stored,
    ...key,
    deleted: undefined,
    name: request.embedTenantName,
    displayName,
    groups: groups.all,
    attributes: attributes.all,
    version: version + 1,
  }
  requireRoom(item)
  return {
    groups: groups.all,
    attributes: attributes.all,
    change: (catalogTable) => ({
      Put: {
        TableName: catalogTable,
        Item: item,
        ConditionExpression: stored ? 'version = :version' : 'attribute_not_exists(pk)',
        ...(stored && { ExpressionAttributeValues: { ':version': version } }),
      },
    }),
  }
}

function requireRoom(item: object): void {
  const bytes = Buffer.byteLength(JSON.stringify(item))
  if (bytes <= maxEmbedTenantBytes) return
  throw new Refusal(
    'context_too_large',
    `Groups and attribute definitions would take ${bytes} bytes; at most ${maxEmbedTenantBytes} are possible.`,
  )
}

/** Definitions by name: what is given replaces what it mentions and leaves the rest of a definition as it is. */
function merged<Definition extends { readonly name: string }>(
  stored: readonly Definition[],
  given: readonly Definition[],
): { all: Definition[]; changed: boolean } {
  const all = new Map(stored.map((definition) => [definition.name, definition]))
  let changed = false
  for (const definition of given) {
    const before = all.get(definition.name)
    const given = withoutUndefined(definition)
    changed ||= !before || Object.entries(given).some(([field, value]) => before[field as keyof Definition] !== value)
    all.set(definition.name, { ...before, ...given })
  }
  return { all: [...all.values()], changed }
}

const withoutUndefined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
