import * as v from 'valibot'
import { maxTokenSeconds, minTokenSeconds } from '../access/lifetimes.ts'
import { AttributeValue, inexact } from '../embed-tenants/attribute-value.ts'
import { AttributeDefinition, displayName, TenantGroup } from '../embed-tenants/embed-tenant.ts'
import { embedTenantName, externalId, name } from '../embed-tenants/names.ts'
import {
  boolean,
  combination,
  exactly,
  freeFormWith,
  id,
  integer,
  list,
  nameOf,
  optional,
  text,
  textOf,
  withoutReplacedBytes,
} from '../schema.ts'

/** The most names or definitions of a list (docs/specification.md#generate-an-embed-session). */
const maxNames = 100

/** The longest lifetime of the token of a session with an `actor`. */
export const maxActorTokenSeconds = 30 * 60

export const maxSecurityContextBytes = 64 * 1024

/**
 * A check of a whole list. It also runs if an entry is invalid, so that the caller learns of every
 * mistake at once.
 */
const checkOfList = <Entry>(isRight: (entries: readonly unknown[]) => boolean, message: string) =>
  v.rawCheck<Entry[]>(({ dataset, addIssue }) => {
    const entries: unknown = dataset.value
    if (Array.isArray(entries) && !isRight(entries)) addIssue({ message })
  })

const boundedList = <const Item extends v.GenericSchema>(item: Item) =>
  v.pipe(
    list(item),
    checkOfList<v.InferOutput<Item>>(
      ({ length }) => length <= maxNames,
      `must have at most ${maxNames} entries`,
    ),
    v.metadata({ maxItems: maxNames }),
  )

/** @param nameIn the name in an entry, which may be invalid */
const distinct = <Entry>(nameIn: (entry: unknown) => unknown) =>
  checkOfList<Entry>((entries) => {
    const names = entries.map(nameIn).filter((name) => typeof name === 'string')
    return new Set(names).size === names.length
  }, 'must not repeat a name')

const names = v.pipe(
  boundedList(name),
  distinct<string>((entry) => entry),
  v.metadata({ uniqueItems: true }),
)

const named = <const Entry extends v.GenericSchema<{ name: string }, { name: string }>>(
  entry: Entry,
) =>
  v.pipe(
    boundedList(entry),
    distinct<v.InferOutput<Entry>>((entry) => Object(entry).name),
  )

const securityContext = v.pipe(
  freeFormWith(inexact),
  v.check(
    (context) => !Object.hasOwn(context, 'platformCloud'),
    'must not bring its own platformCloud',
  ),
  v.check(
    (context) => !Object.hasOwn(context, 'cubeCloud'),
    'must not bring cubeCloud, which is platformCloud here: the service writes groups into it',
  ),
  v.metadata({ propertyNames: { not: { enum: ['platformCloud', 'cubeCloud'] } } }),
  withoutReplacedBytes(),
  v.check(
    (context) => Buffer.byteLength(JSON.stringify(context)) <= maxSecurityContextBytes,
    `must have at most ${maxSecurityContextBytes} bytes as JSON`,
  ),
)

/** An entry without a value, or with null, counts as left out. So a list may become empty. */
const userAttributes = v.pipe(
  boundedList(exactly({ name, value: optional(AttributeValue) })),
  distinct((entry) => {
    const { name, value } = Object(entry)
    return value === undefined ? undefined : name
  }),
  v.transform((entries) => (entries.some(({ value }) => value !== undefined) ? entries : [])),
)

/** An empty list counts as left out. */
const orNothing = <Entry>(entries: Entry[]): Entry[] | undefined =>
  entries.length === 0 ? undefined : entries

/** GenerateSessionDTO, and besides it `actor`, `branchName` and `tokenLifetimeSeconds`. */
export const RequestFields = exactly({
  deploymentId: id,
  creatorMode: optional(boolean),
  email: optional(v.pipe(text, withoutReplacedBytes())),
  externalId: optional(externalId),
  internalId: optional(nameOf(320)),
  embedTenantName: optional(embedTenantName),
  embedTenantProfile: optional(exactly({ displayName })),
  userProfile: optional(exactly({ displayName: optional(text), picture: optional(text) })),
  embedTheme: optional(
    exactly({
      analyticsChat: optional(
        exactly({
          backgroundColor: optional(text),
          chatInput: optional(
            exactly({ backgroundColor: optional(text), borderColor: optional(text) }),
          ),
        }),
      ),
      chat: optional(exactly({ inputColor: optional(text) })),
      font: optional(text),
      primaryColor: optional(text),
    }),
  ),
  groups: optional(names),
  tenantGroups: optional(v.pipe(names, v.transform(orNothing))),
  tenantGroupDefinitions: optional(v.pipe(named(TenantGroup), v.transform(orNothing))),
  // Deprecated and without effect, so nothing about it can be wrong.
  groupDefinitions: v.optional(v.unknown()),
  userAttributes: optional(userAttributes),
  userAttributeDefinitions: optional(named(AttributeDefinition)),
  securityContext: optional(securityContext),
  roles: optional(names),
  actor: optional(exactly({ id: nameOf(320), reason: textOf(1, 500) })),
  branchName: optional(nameOf(255)),
  publicDashboardId: optional(v.pipe(text, withoutReplacedBytes())),
  // A stage may have a lower limit (prepare.ts).
  tokenLifetimeSeconds: optional(
    v.pipe(
      integer,
      v.minValue(minTokenSeconds, `must be at least ${minTokenSeconds}`),
      v.maxValue(maxTokenSeconds, `must be at most ${maxTokenSeconds}`),
    ),
  ),
  isEphemeral: optional(boolean),
  settings: optional(
    exactly({
      allowAi: optional(boolean),
      allowChatWorkspaceAuthoring: optional(boolean),
      showAiWidgets: optional(boolean),
      showDashboardChat: optional(boolean),
      showDashboardSettings: optional(boolean),
      showGroupByModel: optional(boolean),
      showMemberNames: optional(boolean),
      showWorkbookChat: optional(boolean),
      showWorkbookShare: optional(boolean),
      locale: optional(text),
      timezone: optional(text),
    }),
  ),
})

export type GenerateSession = v.InferOutput<typeof RequestFields>

type Field = keyof GenerateSession

/** A session with an actor changes nothing for others. It has no creator mode or tenant groups. */
const notWithActor: readonly Field[] = [
  'tenantGroups',
  'tenantGroupDefinitions',
  'userAttributeDefinitions',
  'embedTenantProfile',
]

/** Fields that do not go with an internal user, whose own permissions apply. */
const notWithInternalId: readonly Field[] = [
  'groups',
  'tenantGroups',
  'tenantGroupDefinitions',
  'userAttributes',
  'userAttributeDefinitions',
  'securityContext',
  'userProfile',
  'roles',
]

/** An empty list or object has none. */
const hasContent = (value: unknown): boolean =>
  typeof value === 'object'
    ? Object.values(Object(value)).some((part) => part !== undefined)
    : value !== undefined

/** Drops what does not go with an internal user. By now these fields are known to be empty. */
function withoutEmptyFields(request: GenerateSession): GenerateSession {
  if (request.internalId === undefined) return request
  const empty = Object.fromEntries(notWithInternalId.map((field) => [field, undefined]))
  return { ...request, ...empty }
}

/** The fields that lack another field or exclude one, and what is wrong. */
function* problemsOfCombination(request: GenerateSession): Generator<[Field, string]> {
  const given = (field: Field) => request[field] !== undefined
  const filled = (field: Field) => hasContent(request[field])
  if (given('internalId')) {
    if (given('externalId')) yield ['internalId', 'must not come together with externalId']
    for (const field of notWithInternalId.filter(filled))
      yield [field, 'must not come together with internalId']
  }
  for (const field of (['tenantGroups', 'tenantGroupDefinitions'] as const).filter(given)) {
    if (request.creatorMode !== true && !given('actor')) yield [field, 'needs creatorMode: true']
    if (!given('embedTenantName')) yield [field, 'needs embedTenantName']
  }
  if (given('actor')) {
    if (!given('externalId')) yield ['actor', 'needs externalId']
    if (request.creatorMode === true) yield ['creatorMode', 'must not be true beside an actor']
    if (Number(request.tokenLifetimeSeconds) > maxActorTokenSeconds)
      yield ['tokenLifetimeSeconds', `must be at most ${maxActorTokenSeconds} beside an actor`]
    for (const field of notWithActor.filter(filled))
      yield [field, 'must not come together with an actor']
  }
  if (given('embedTenantProfile') && !given('embedTenantName'))
    yield ['embedTenantProfile', 'needs embedTenantName']
}

export const GenerateSession = v.pipe(
  RequestFields,
  combination(problemsOfCombination),
  v.transform(withoutEmptyFields),
)
