import { isDeepStrictEqual } from 'node:util'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import {
  type AttributeDefinition,
  defaultsVersion,
  definitionAttribute,
  definitionsIn,
  definitionsKey,
  groupAttribute,
  type StoredDefinitions,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { type ItemAttributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups, measuredGroup, sessionGroupBytesIn } from '../embed-tenants/session-groups.ts'
import type { InputError } from '../refusal.ts'
import { type Item, isLive } from '../storage/batch-get.ts'
import { newVersion } from '../storage/conditional-writes.ts'
import { problemsOfGrowth, tokenBytesOfDefaults } from './definition-limits.ts'
import type { GenerateSession } from './request.ts'

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** A definition that a request creates or changes. */
export type ChangedDefinition = {
  readonly list: 'tenantGroupDefinitions' | 'userAttributeDefinitions'
  readonly name: string
  readonly before?: object | undefined
  readonly after: object
}

/** The definitions in force once the session exists, and what is wrong with them. */
export type Definitions = StoredDefinitions & {
  readonly changes: readonly ChangedDefinition[]
  readonly problems: readonly InputError[]
  /** Left out where the request says nothing new. */
  readonly write?: (catalogTable: string) => TransactItem
}

/**
 * What the request makes of the item at {@link definitionsKey} (docs/specification.md#generate-an-embed-session, rule 6): each
 * definition is created or updated, none is removed, and the embed tenant comes to exist when first named. A deleted tenant
 * comes back with what it had.
 */
export function mergeDefinitions(
  accountId: string,
  request: GenerateSession,
  stored: Item | undefined,
  maxTokenBytes: number,
): Definitions {
  const before = definitionsIn(stored)
  const misfits: InputError[] = []
  const typed = (definition: AttributeDefinition, index: number) => {
    const typed = withTypedDefault(definition)
    if (typeof typed !== 'string') return typed
    misfits.push({ pointer: `/userAttributeDefinitions/${index}/defaultValue`, message: typed })
    return definition
  }
  const changes = [
    ...changesOf('tenantGroupDefinitions', before.groups, request.tenantGroupDefinitions),
    ...changesOf('userAttributeDefinitions', before.attributes, request.userAttributeDefinitions, typed),
  ]
  const changed: ItemAttributes = Object.fromEntries(changes.map(storedDefinition))
  const add = additionOfGroups(stored, changed)
  const sum = add.by !== 0 && { [add.attribute]: sessionGroupBytesIn(stored) + add.by }
  const next = { ...stored, ...changed, ...sum }
  const growth = changes.length === 0 ? [] : problemsOfGrowth(request, stored ?? {}, next, maxTokenBytes)
  const after = changes.length === 0 ? before : definitionsIn(next)
  const definitions = { ...after, changes, problems: [...misfits, ...growth] }

  const tenant = newTenantFields(request, stored)
  const version = newVersion()
  const growsDefaults = tokenBytesOfDefaults(after.attributes) > tokenBytesOfDefaults(before.attributes)
  /** What is written on condition that it is as it was read. */
  const conditional: ItemAttributes = {
    ...changed,
    ...(Object.keys(tenant).length > 0 && { tenantVersion: version }),
    ...(growsDefaults && { [defaultsVersion]: version }),
  }
  if (Object.keys(conditional).length === 0) return definitions
  const expected = Object.fromEntries(Object.keys(conditional).map((attribute) => [attribute, stored?.[attribute]]))
  const set = { kind: 'embedTenant', accountId, ...tenant, ...conditional, version }
  const key = definitionsKey(accountId, request.embedTenantName)
  return {
    ...definitions,
    write: (catalogTable) => ({ Update: narrowUpdate(catalogTable, key, { set, expected, add }, stored?.version) }),
  }
}

/** What makes a tenant exist, or exist again, and what changes its display name. */
function newTenantFields(
  { embedTenantName: name, embedTenantProfile }: GenerateSession,
  stored: Item | undefined,
): ItemAttributes {
  const isThere = name === undefined || isLive(stored)
  const { displayName } = embedTenantProfile ?? {}
  return {
    ...(!isThere && { name, deleted: undefined, identity: undefined }),
    ...(displayName !== undefined && displayName !== stored?.displayName && { displayName }),
  }
}

type Named = { readonly name: string }

/** The given definitions that are new, or change what is stored: each replaces what it mentions, and leaves the rest. */
function changesOf<Definition extends Named>(
  list: ChangedDefinition['list'],
  stored: readonly Definition[],
  given: readonly Definition[] = [],
  typed = (definition: Definition, _index: number) => definition,
): ChangedDefinition[] {
  return given
    .map((definition, index) => {
      const before = stored.find(({ name }) => name === definition.name)
      const mentioned = Object.entries(definition).filter(([, value]) => value !== undefined)
      const after = typed({ ...before, ...Object.fromEntries(mentioned) } as Definition, index)
      return { list, name: definition.name, before, after }
    })
    .filter(({ before, after }) => !isDeepStrictEqual(before, after))
}

/** The attribute of the item that holds a definition, with its value. */
function storedDefinition({ list, name, after }: ChangedDefinition): [string, object] {
  const { name: _, ...fields } = after as Named
  return list === 'tenantGroupDefinitions'
    ? measuredGroup(groupAttribute(name), fields)
    : [definitionAttribute(name), fields]
}
