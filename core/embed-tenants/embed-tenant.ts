import * as v from 'valibot'
import { exactly, oneOf, optional, text, upTo } from '../schema.ts'
import { key, ownKey } from '../storage/keys.ts'
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

const isShort = (value: AttributeValue): boolean =>
  [...(typeof value === 'string' ? value : JSON.stringify(value))].length <= maxDefault

const defaultValue = v.pipe(
  AttributeValue,
  v.check(isShort, `must have at most ${maxDefault} characters`),
)

/** A user attribute that sessions may set. Its default is for sessions that leave it out. */
export const AttributeDefinition = exactly({
  name,
  type: optional(oneOf(attributeTypes)),
  defaultValue: optional(defaultValue),
  description,
  displayName,
})

export type AttributeDefinition = Readonly<v.InferOutput<typeof AttributeDefinition>>

/** The type of an attribute's values: a string unless the definition says otherwise. */
export const typeIn = ({ type = 'string' }: AttributeDefinition) => type

/**
 * Puts the default into the form of its type, which may be longer than its text, as for `1e15`.
 * @returns the definition; or, if the default does not fit, a text that says what it must be
 */
export function withTypedDefault<Definition extends AttributeDefinition>(
  definition: Definition,
): Definition | string {
  const { defaultValue } = definition
  const type = typeIn(definition)
  if (defaultValue === undefined) return definition
  const typed = valueOfType(type, defaultValue)
  if (typed === undefined) return `must be ${descriptionOfType(type)}, since its type is ${type}`
  return isShort(typed)
    ? { ...definition, defaultValue: typed }
    : `must have at most ${maxDefault} characters as JSON`
}

export const TenantGroup = exactly({ name: newGroupName, description })

export type TenantGroup = Readonly<v.InferOutput<typeof TenantGroup>>

/** The item with definitions: that of the embed tenant if one is named, else the account's. */
export const definitionsKey = (accountId: string, embedTenantName: string | undefined) =>
  ownKey('embedTenant', accountId, ...(embedTenantName === undefined ? [] : [embedTenantName]))

export const embedTenantKey = (accountId: string, name: string) => definitionsKey(accountId, name)

/** The partition of `byAccount` that lists an account's embed tenants. */
export const embedTenantsOf = (accountId: string): string => key(accountId)

/**
 * What an embed tenant gets when something first names it, and keeps until it is deleted: its place
 * in the index, and the time.
 */
export const firstNamed = (accountId: string, name: string, now: number) => ({
  embedTenantList: embedTenantsOf(accountId),
  order: name,
  createdAt: new Date(now).toISOString(),
})

/** Removes what {@link firstNamed} gives. */
export const unlisted = { embedTenantList: undefined, order: undefined, createdAt: undefined }

export const groupKey = (accountId: string, name: string) => ({
  pk: key('account', accountId),
  sk: key('group', name),
})

/** The attribute of the tenant's item that has a group. Changes of different attributes commute. */
export const groupAttribute = (group: string): string => `group:${group}`

export const definitionAttribute = (name: string): string => `attribute:${name}`

/**
 * Each write that may make the defaults longer renews this attribute. So two requests at once
 * cannot together add more defaults than a token takes.
 */
export const defaultsVersion = 'defaultsVersion'

/** A group or an attribute definition as stored, without its name. */
type StoredDefinition = Partial<AttributeDefinition> & {
  /** The revision of the catalog's change that wrote it, or the version if that has none. */
  readonly revision?: number
  readonly version?: string
  /** Only in a group that a session of somebody else than an admin wrote last. */
  readonly bytes?: number
}

export const definitionIn = (item: ItemAttributes | undefined, attribute: string) =>
  item?.[attribute] as StoredDefinition | undefined

/**
 * The groups and definitions in an item, sorted by name. A deleted tenant keeps those of the
 * catalog, which count again when it comes back.
 */
export const definitionsIn = (item: ItemAttributes = {}) => ({
  groups: definitionsWith(groupAttribute(''), item),
  attributes: definitionsWith(definitionAttribute(''), item),
})

const definitionsWith = (prefix: string, item: ItemAttributes): AttributeDefinition[] =>
  Object.keys(item)
    .filter((attribute) => attribute.startsWith(prefix))
    .sort()
    .map((attribute) => {
      // Only the writers of definitions need what is left out here.
      const { version, bytes, ...definition } = definitionIn(item, attribute) ?? {}
      return { name: attribute.slice(prefix.length), ...definition }
    })

/**
 * The definitions of an item that only sessions have made, each as undefined, which removes it. A
 * definition of the catalog has the revision or version of its change.
 */
export function withoutSessionDefinitions(item: ItemAttributes = {}): ItemAttributes {
  const prefixes = [groupAttribute(''), definitionAttribute('')]
  const ofSessions = Object.keys(item)
    .filter((attribute) => prefixes.some((prefix) => attribute.startsWith(prefix)))
    .filter((attribute) => {
      const { revision, version } = definitionIn(item, attribute) ?? {}
      return revision === undefined && version === undefined
    })
  return Object.fromEntries(ofSessions.map((attribute) => [attribute, undefined]))
}

/**
 * The most bytes of an embed tenant as JSON. The rest of DynamoDB's 400 KB is for requests that add
 * something at the same time.
 */
export const maxEmbedTenantBytes = 320 * 1024

/** The bytes of an embed tenant, or of a part of one, as JSON. */
export const bytesOf = (part: object): number => Buffer.byteLength(JSON.stringify(part))
