import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '../access/principal.ts'
import {
  type AttributeDefinition,
  defaultsVersion,
  definitionAttribute,
  definitionIn,
  definitionsIn,
  definitionsKey,
  firstNamed,
  groupAttribute,
  typeIn,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups, measuredGroup, sumOfGroups } from '../embed-tenants/session-groups.ts'
import { namedBySession } from '../embed-tenants/session-tenants.ts'
import type { InputError } from '../refusal.ts'
import { newVersion } from '../storage/conditional-writes.ts'
import { type Item, isLive } from '../storage/item.ts'
import { bytesOfDefaults, problemsOfGrowth } from './definition-limits.ts'
import type { GenerateSession } from './request.ts'

/** The part of a request for a session that decides about definitions. */
export type Asked = {
  readonly principal: Principal
  readonly request: GenerateSession
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly limits: { readonly maxTokenBytes: number }
}

/**
 * Merges definitions of a request into the item at {@link definitionsKey}. It creates and changes
 * definitions, and removes none (docs/specification.md#generate-an-embed-session, rule 6). An embed
 * tenant exists once it is named. A deleted tenant comes back with the definitions of the catalog,
 * and without those of sessions.
 * @returns the definitions in force once the session exists; `changes`: what the request defines
 * anew or changes; `problems`: why it may not; `writes`: none if nothing is new
 */
export function mergeDefinitions(asked: Asked, catalogTable: string, stored: Item | undefined) {
  const { principal, request, now, limits } = asked
  const { accountId, admin } = principal
  const before = definitionsIn(stored)
  const changes = [
    ...changesOf(request, 'tenantGroupDefinitions', before.groups),
    ...changesOf(request, 'userAttributeDefinitions', before.attributes),
  ]
  const tenant = tenantAttributes(accountId, request, stored, now)
  const allChanges = [...changes, ...changesOfProfile(request, tenant, stored)]
  const writesFor = (definitions: ItemAttributes) =>
    writesOf(asked, catalogTable, stored, tenant, definitions)
  // Most requests change nothing. To count and read everything again takes time.
  if (changes.length === 0)
    return { ...before, changes: allChanges, problems: [], writes: writesFor({}) }
  const changed = Object.fromEntries(
    changes.map((change) => storedDefinition(change, stored, admin)),
  )
  const next = { ...stored, ...changed, ...sumOfGroups(stored, changed) }
  const after = definitionsIn(next)
  const growsDefaults = bytesOfDefaults(after) > bytesOfDefaults(before)
  const set = growsDefaults ? { ...changed, [defaultsVersion]: newVersion() } : changed
  const problems = [
    ...changes.flatMap(({ misfit }) => misfit ?? []),
    ...problemsOfGrowth(request, stored ?? {}, next, limits.maxTokenBytes, admin),
  ]
  return { ...after, changes: allChanges, problems, writes: writesFor(set) }
}

/** The update that sets definitions and makes the tenant exist; none if nothing is new. */
function writesOf(
  { principal: { accountId }, request }: Asked,
  catalogTable: string,
  stored: Item | undefined,
  tenant: ItemAttributes,
  definitions: ItemAttributes,
) {
  const version = newVersion()
  /** These attributes are written if they are still as they were read. */
  const setIfUnchanged: ItemAttributes = {
    ...definitions,
    ...(Object.keys(tenant).length > 0 && { tenantVersion: version }),
  }
  const names = Object.keys(setIfUnchanged)
  if (names.length === 0) return []
  // The write fails if one of these has happened since the tenant was read. A deletion: its
  // tombstone must get no definition of a session. A put of the catalog: a tenant that the catalog
  // creates must get no mark of a session. A purge: this write alone would not list the tenant.
  const expected = Object.fromEntries(
    ['deleted', 'createdAt', ...names].map((name) => [name, stored?.[name]]),
  )
  const set = { kind: 'embedTenant', accountId, ...tenant, ...setIfUnchanged, version }
  const add = additionOfGroups(stored, definitions)
  const tenantKey = definitionsKey(accountId, request.embedTenantName)
  return [
    { Update: narrowUpdate(catalogTable, tenantKey, { set, expected, add }, stored?.version) },
  ]
}

/** The attributes that create a tenant or bring it back, and that change its display name. */
function tenantAttributes(
  accountId: string,
  { embedTenantName: name, embedTenantProfile }: GenerateSession,
  stored: Item | undefined,
  now: number,
): ItemAttributes {
  const displayName = embedTenantProfile?.displayName
  const isNew = name !== undefined && !isLive(stored)
  const isRenamed = displayName !== undefined && displayName !== stored?.displayName
  return {
    ...(isNew && {
      name,
      deleted: undefined,
      identity: undefined,
      ...firstNamed(accountId, name, now),
      [namedBySession]: true,
    }),
    ...(isRenamed && { displayName }),
  }
}

/** What a request defines anew or changes. The display name of a tenant has the tenant's name. */
export type ChangedDefinition = Omit<
  ReturnType<typeof changesOf | typeof changesOfProfile>[number],
  'misfit'
>

/** The change of the tenant's display name, if it is among the attributes to write. */
function changesOfProfile(
  { embedTenantName: name = '' }: GenerateSession,
  { displayName }: ItemAttributes,
  stored: Item | undefined,
) {
  if (displayName === undefined) return []
  const old = stored?.displayName
  const before = old === undefined ? undefined : { name, displayName: old }
  return [{ list: 'embedTenantProfile' as const, name, before, after: { name, displayName } }]
}

/**
 * The given definitions that are new, or that change a stored one. A definition replaces what it
 * mentions, and leaves the rest. `misfit` says why its default does not fit its type.
 */
function changesOf(
  request: GenerateSession,
  list: 'tenantGroupDefinitions' | 'userAttributeDefinitions',
  stored: readonly AttributeDefinition[],
) {
  const given: readonly AttributeDefinition[] = request[list] ?? []
  return given
    .map((definition, index) => {
      const { name } = definition
      const before = stored.find((each) => each.name === name)
      const mentioned = Object.entries(definition).filter(([, value]) => value !== undefined)
      const after: AttributeDefinition = { ...before, ...Object.fromEntries(mentioned), name }
      const typed = withTypedDefault(after)
      if (typeof typed !== 'string') return { list, name, before, after: typed }
      const misfit: InputError = { pointer: `/${list}/${index}/defaultValue`, message: typed }
      return { list, name, before, after, misfit }
    })
    .filter(({ before, after }) => !before || !isDeepStrictEqual(withType(before), withType(after)))
}

/** A definition without a type is of a string. So a request that adds this type changes nothing. */
const withType = (definition: AttributeDefinition) => ({ ...definition, type: typeIn(definition) })

/**
 * The attribute of the item that holds a definition, with its value. A definition of the catalog
 * stays the catalog's: it keeps its revision, which is among its fields, or gets a new version.
 */
function storedDefinition(
  { list, after: { name, ...fields } }: ChangedDefinition,
  stored: Item | undefined,
  admin: boolean,
): [string, object] {
  const isGroup = list === 'tenantGroupDefinitions'
  const attribute = isGroup ? groupAttribute(name) : definitionAttribute(name)
  const isVersioned = definitionIn(stored, attribute)?.version !== undefined
  const value = isVersioned ? { ...fields, version: newVersion() } : fields
  return isGroup && !admin ? measuredGroup(attribute, value) : [attribute, value]
}
