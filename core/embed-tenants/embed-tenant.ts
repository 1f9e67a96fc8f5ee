import * as v from 'valibot'
import { exactly, oneOf, optional, text, upTo } from '../schema.ts'
import { key, ownSortKey } from '../storage/keys.ts'
import {
  AttributeValue,
  attributeTypes,
  descriptionOfType,
  valueOfType,
} from './attribute-value.ts'
import { name, newGroupName } from './names.ts'
import type { ItemAttributes } from './narrow-update.ts'

// The limits of docs/specification.md#generate-an-embed-session, in characters.
const description = optional(v.pipe(text, upTo(500)))
export const displayName = optional(v.pipe(text, upTo(200)))
const maxDefault = 500

const defaultValue = v.pipe(
  AttributeValue,
  v.check(
    (value) =>
      [...(typeof value === 'string' ? value : JSON.stringify(value))].length <= maxDefault,
    `must have at most ${maxDefault} characters`,
  ),
)

/**
 * A user attribute that sessions may set. Its default applies where a session leaves the attribute
 * out.
 */
export const AttributeDefinition = exactly({
  name,
  type: optional(oneOf(attributeTypes)),
  defaultValue: optional(defaultValue),
  description,
  displayName,
})

export type AttributeDefinition = Readonly<v.InferOutput<typeof AttributeDefinition>>

/**
 * The definition with its default in the form of its type, by default a string; or what the default
 * must be.
 */
export function withTypedDefault<Definition extends AttributeDefinition>(
  definition: Definition,
): Definition | string {
  const { type = 'string', defaultValue } = definition
  if (defaultValue === undefined) return definition
  const typed = valueOfType(type, defaultValue)
  return typed === undefined
    ? `must be ${descriptionOfType(type)}, since its type is ${type}`
    : { ...definition, defaultValue: typed }
}

export const TenantGroup = exactly({ name: newGroupName, description })

export type TenantGroup = Readonly<v.InferOutput<typeof TenantGroup>>

/** The groups and attribute definitions of an embed tenant or account, each sorted by name. */
export type StoredDefinitions = {
  readonly groups: readonly TenantGroup[]
  readonly attributes: readonly AttributeDefinition[]
}

/**
 * Where the definitions of sessions are stored: at the embed tenant if one is named, else at the
 * account.
 */
export const definitionsKey = (accountId: string, embedTenantName: string | undefined) => ({
  pk: key('embedTenant', accountId, ...(embedTenantName === undefined ? [] : [embedTenantName])),
  sk: ownSortKey,
})

export const embedTenantKey = (accountId: string, name: string) => definitionsKey(accountId, name)

export const groupKey = (accountId: string, name: string) => ({
  pk: key('account', accountId),
  sk: key('group', name),
})

/**
 * The attribute of the tenant's item that holds a group, or a definition. Changes of different ones
 * commute.
 */
export const groupAttribute = (group: string): string => `group:${group}`
export const definitionAttribute = (name: string): string => `attribute:${name}`

/**
 * It is new whenever the defaults may have grown, so requests that race cannot bring more of them
 * than a token takes.
 */
export const defaultsVersion = 'defaultsVersion'

/**
 * The groups and definitions in an item. A deleted tenant keeps those of the catalog, and they
 * count again when it comes back.
 */
export function definitionsIn(item: ItemAttributes | undefined): StoredDefinitions {
  return {
    groups: entries<TenantGroup>(item, groupAttribute('')),
    attributes: entries<AttributeDefinition>(item, definitionAttribute('')),
  }
}

function entries<Definition>(item: ItemAttributes | undefined, prefix: string): Definition[] {
  return Object.entries(item ?? {})
    .filter(([attribute]) => attribute.startsWith(prefix))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([attribute, stored]) => {
      // For the writers of a definition alone.
      const { version: _, bytes: __, ...definition } = stored as ItemAttributes
      return { name: attribute.slice(prefix.length), ...definition } as unknown as Definition
    })
}

/**
 * What removes the definitions of an item that sessions alone have made. A change of the catalog
 * leaves its revision or version in a definition.
 */
export const withoutSessionDefinitions = (item: ItemAttributes = {}): ItemAttributes =>
  Object.fromEntries(
    Object.entries(item).flatMap(([attribute, stored]) => {
      const isDefinition = [groupAttribute(''), definitionAttribute('')].some((prefix) =>
        attribute.startsWith(prefix),
      )
      const { revision, version } = stored as ItemAttributes
      const isOfSessions = isDefinition && revision === undefined && version === undefined
      return isOfSessions ? [[attribute, undefined]] : []
    }),
  )

/**
 * The most bytes that an embed tenant may have as JSON. DynamoDB's limit is 400 KB; the rest is for
 * additions that race.
 */
export const maxEmbedTenantBytes = 320 * 1024
