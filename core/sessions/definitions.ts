import { isDeepStrictEqual } from 'node:util'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import {
  type AttributeDefinition,
  accountAttributesKey,
  defaultsVersion,
  definitionAttribute,
  definitionsIn,
  embedTenantKey,
  groupAttribute,
  type Revised,
  type StoredDefinitions,
  withTypedDefault,
} from '../embed-tenants/embed-tenant.ts'
import { type Attributes, narrowUpdate } from '../embed-tenants/narrow-update.ts'
import { additionOfGroups, measured, sessionGroupBytesIn } from '../embed-tenants/session-groups.ts'
import type { InputError } from '../refusal.ts'
import { type Item, type ItemKey, isLive } from '../storage/batch-get.ts'
import { newVersion } from '../storage/version.ts'
import { problemsOfBudget, problemsOfSize, tokenBytesOfDefaults } from './definition-limits.ts'
import type { GenerateSession } from './request.ts'

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** A definition as it was, unless it is new, and as it is now. */
export type ChangedDefinition = {
  readonly list: 'tenantGroupDefinitions' | 'userAttributeDefinitions'
  readonly name: string
  readonly before?: object | undefined
  readonly after: object
}

/** The definitions in force once the session exists, what is wrong with them, and the write that brings them. */
export type Definitions = StoredDefinitions & {
  /** The user attributes that the request creates or changes. */
  readonly changedAttributes: readonly AttributeDefinition[]
  /** All that the request creates or changes. */
  readonly changes: readonly ChangedDefinition[]
  readonly problems: readonly InputError[]
  /** Left out where the request says nothing new. */
  readonly write?: (catalogTable: string) => TransactItem
}

/** Where the definitions of a request are stored: at the embed tenant if one is named, else at the account. */
export const definitionsKey = (
  accountId: string,
  { embedTenantName }: Pick<GenerateSession, 'embedTenantName'>,
): ItemKey =>
  embedTenantName === undefined ? accountAttributesKey(accountId) : embedTenantKey(accountId, embedTenantName)

/**
 * What the request makes of the stored definitions (docs/specification.md#generate-an-embed-session, rule 6): each is
 * created or updated, none is removed, and the embed tenant comes to exist when first named. A deleted tenant comes back
 * with what it had. Most requests say nothing new, and then nothing is written.
 * @param stored the item at {@link definitionsKey}
 */
export function mergeDefinitions(
  accountId: string,
  request: GenerateSession,
  stored: Item | undefined,
  maxTokenBytes: number,
): Definitions {
  const before = definitionsIn(stored)
  const typed = withTypedDefaults(merged(before.attributes, request.userAttributeDefinitions), request)
  const after = { groups: merged(before.groups, request.tenantGroupDefinitions), attributes: typed.all }
  const changedAttributes = changed(before.attributes, after.attributes)
  const changedGroups = changed(before.groups, after.groups)
  const definitions: Attributes = {
    ...measured(attributesOf(changedGroups, groupAttribute)),
    ...attributesOf(changedAttributes, definitionAttribute),
  }
  const add = additionOfGroups(stored, definitions)
  const size = problemsOfSize(request, before, after, { ...stored, ...definitions }, maxTokenBytes)
  const budget = problemsOfBudget(sessionGroupBytesIn(stored), add)
  const names = newNames(request, stored)
  const isNamed = Object.keys(names).length > 0
  const version = newVersion()
  const growsDefaults = tokenBytesOfDefaults(after.attributes) > tokenBytesOfDefaults(before.attributes)
  /** What the write changes on condition that it is as it was read. */
  const conditional: Attributes = {
    ...definitions,
    ...(isNamed && { ownVersion: version }),
    ...(growsDefaults && { [defaultsVersion]: version }),
  }
  return {
    ...after,
    changedAttributes,
    changes: [
      ...changesOf('tenantGroupDefinitions', changedGroups, before.groups),
      ...changesOf('userAttributeDefinitions', changedAttributes, before.attributes),
    ],
    problems: [...typed.problems, ...budget, ...size],
    ...(Object.keys(conditional).length > 0 && {
      write: (catalogTable) => ({
        Update: narrowUpdate(
          catalogTable,
          definitionsKey(accountId, request),
          {
            set: { kind: 'embedTenant', accountId, ...names, ...conditional, version },
            asRead: asRead(Object.keys(conditional), stored),
            add,
          },
          stored?.version,
        ),
      }),
    }),
  }
}

const asRead = (attributes: readonly string[], stored: Item | undefined): Attributes =>
  Object.fromEntries(attributes.map((attribute) => [attribute, stored?.[attribute]]))

/** What makes a tenant exist, or exist again, and what changes its display name. */
function newNames(
  { embedTenantName: name, embedTenantProfile }: GenerateSession,
  stored: Item | undefined,
): Attributes {
  const isThere = name === undefined || isLive(stored)
  const { displayName } = embedTenantProfile ?? {}
  return {
    ...(!isThere && { name, deleted: undefined, identity: undefined }),
    ...(displayName !== undefined && displayName !== stored?.displayName && { displayName }),
  }
}

/** Brings the defaults to their types, and says which of the request's do not fit. */
function withTypedDefaults(
  definitions: readonly Revised<AttributeDefinition>[],
  { userAttributeDefinitions: given = [] }: GenerateSession,
): { all: Revised<AttributeDefinition>[]; problems: InputError[] } {
  const problems: InputError[] = []
  const all = definitions.map((definition) => {
    const typed = withTypedDefault(definition)
    if (typeof typed !== 'string') return typed
    const index = given.findIndex(({ name }) => name === definition.name)
    if (index >= 0) problems.push({ pointer: `/userAttributeDefinitions/${index}/defaultValue`, message: typed })
    return definition
  })
  return { all, problems }
}

/** Definitions as the item has them, where their names are those of attributes. */
const attributesOf = (
  definitions: readonly { readonly name: string }[],
  attributeOf: (name: string) => string,
): Record<string, object> => Object.fromEntries(definitions.map(({ name, ...fields }) => [attributeOf(name), fields]))

/** Definitions by name: what is given replaces what it mentions and leaves the rest of a definition as it is. */
function merged<Definition extends { readonly name: string }>(
  stored: readonly Definition[],
  given: readonly Definition[] = [],
): Definition[] {
  const all = new Map(stored.map((definition) => [definition.name, definition]))
  for (const definition of given) {
    const mentioned = Object.entries(definition).filter(([, value]) => value !== undefined)
    all.set(definition.name, { ...all.get(definition.name), ...Object.fromEntries(mentioned) } as Definition)
  }
  return [...all.values()]
}

const changesOf = (
  list: ChangedDefinition['list'],
  changed: readonly { readonly name: string }[],
  before: readonly { readonly name: string }[],
): ChangedDefinition[] =>
  changed.map((after) => ({ list, name: after.name, before: before.find(({ name }) => name === after.name), after }))

/** The definitions that are new, or differ from what was there. */
function changed<Definition extends { readonly name: string }>(
  before: readonly Definition[],
  after: readonly Definition[],
): Definition[] {
  const stored = new Map(before.map((definition) => [definition.name, definition]))
  return after.filter((definition) => !isDeepStrictEqual(definition, stored.get(definition.name)))
}
