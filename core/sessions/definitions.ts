import { isDeepStrictEqual } from 'node:util'
import type { Principal } from '../access/principal.ts'
import {
  type AttributeDefinition,
  defaultsVersion,
  definitionAttribute,
  definitionsIn,
  definitionsKey,
  groupAttribute,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import {
  additionOfGroups,
  measuredGroup,
  sessionGroupBytesIn,
} from '../embed-tenants/session-groups.ts'
import { namedBySession } from '../embed-tenants/session-tenants.ts'
import type { InputError } from '../refusal.ts'
import { type Item, isLive } from '../storage/batch-get.ts'
import { newVersion } from '../storage/conditional-writes.ts'
import { bytesOfDefaults, problemsOfGrowth } from './definition-limits.ts'
import type { GenerateSession } from './request.ts'

/**
 * What the request makes of the item at {@link definitionsKey}: each definition is created or
 * updated, none is removed, and the embed tenant comes to exist when first named
 * (docs/specification.md#generate-an-embed-session, rule 6). A deleted tenant comes back with what
 * the catalog has defined, and without what sessions have.
 * @returns the definitions in force once the session exists, and `write`: undefined if the request
 * says nothing new
 */
export function mergeDefinitions(
  catalogTable: string,
  { accountId, admin }: Principal,
  request: GenerateSession,
  stored: Item | undefined,
  maxTokenBytes: number,
) {
  const before = definitionsIn(stored)
  const misfits: InputError[] = []
  const changes = [
    ...changesOf('tenantGroupDefinitions', before.groups, request.tenantGroupDefinitions, misfits),
    ...changesOf(
      'userAttributeDefinitions',
      before.attributes,
      request.userAttributeDefinitions,
      misfits,
    ),
  ]
  const changed: ItemAttributes = Object.fromEntries(
    changes.map((change) => storedDefinition(change, admin)),
  )
  const add = additionOfGroups(stored, changed)
  const sum = add.by !== 0 && { [add.attribute]: sessionGroupBytesIn(stored) + add.by }
  const next = { ...stored, ...changed, ...sum }
  // Stryker disable ConditionalExpression: It takes longer, and says the same.
  const growth =
    changes.length === 0 ? [] : problemsOfGrowth(request, stored ?? {}, next, maxTokenBytes, admin)
  const after = changes.length === 0 ? before : definitionsIn(next)
  // Stryker restore ConditionalExpression

  const { embedTenantName: name, embedTenantProfile: { displayName } = {} } = request
  /** What makes a tenant exist, or exist again, and what changes its display name. */
  const tenant = {
    ...(name !== undefined &&
      !isLive(stored) && {
        ...{ name, deleted: undefined, identity: undefined },
        [namedBySession]: true,
      }),
    ...(displayName !== undefined && displayName !== stored?.displayName && { displayName }),
  }
  const version = newVersion()
  const growsDefaults = bytesOfDefaults(after.attributes) > bytesOfDefaults(before.attributes)
  /** What is written on condition that it is as it was read. */
  const conditional: ItemAttributes = {
    ...changed,
    ...(Object.keys(tenant).length > 0 && { tenantVersion: version }),
    ...(growsDefaults && { [defaultsVersion]: version }),
  }
  const definitions = { ...after, changes, problems: [...misfits, ...growth] }
  const attributes = Object.keys(conditional)
  if (attributes.length === 0) return { ...definitions, write: undefined }
  // The tombstone of a tenant that ends meanwhile keeps nothing of sessions.
  const expected = Object.fromEntries(
    ['deleted', ...attributes].map((attribute) => [attribute, stored?.[attribute]]),
  )
  const set = { kind: 'embedTenant', accountId, ...tenant, ...conditional, version }
  const Update = narrowUpdate(
    catalogTable,
    definitionsKey(accountId, name),
    { set, expected, add },
    stored?.version,
  )
  return { ...definitions, write: { Update } }
}

/** A definition that a request creates or changes. */
export type ChangedDefinition = Readonly<ReturnType<typeof changesOf>[number]>

/**
 * The given definitions that are new, or change what is stored: each replaces what it mentions, and
 * leaves the rest.
 */
function changesOf(
  list: 'tenantGroupDefinitions' | 'userAttributeDefinitions',
  stored: readonly AttributeDefinition[],
  given: readonly AttributeDefinition[] = [],
  misfits: InputError[],
) {
  return given
    .map((definition, index) => {
      const before = stored.find(({ name }) => name === definition.name)
      const mentioned = Object.entries(definition).filter(([, value]) => value !== undefined)
      const after: AttributeDefinition = {
        ...before,
        ...Object.fromEntries(mentioned),
        name: definition.name,
      }
      const typed = withTypedDefault(after)
      if (typeof typed === 'string')
        misfits.push({ pointer: `/${list}/${index}/defaultValue`, message: typed })
      // Stryker disable next-line ConditionalExpression,StringLiteral: A misfit refuses the whole request.
      return {
        list,
        name: definition.name,
        before,
        after: typeof typed === 'string' ? after : typed,
      }
    })
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
}

/** The attribute of the item that holds a definition, with its value. */
function storedDefinition(
  { list, after: { name, ...fields } }: ChangedDefinition,
  admin: boolean,
): [string, object] {
  if (list === 'userAttributeDefinitions') return [definitionAttribute(name), fields]
  const attribute = groupAttribute(name)
  return admin ? [attribute, fields] : measuredGroup(attribute, fields)
}
