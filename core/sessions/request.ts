import * as v from 'valibot'
import { embedTenantNamePattern, embedTenantNameRule } from '../embed-tenants/embed-tenant.ts'
import { boolean, exactly, freeForm, id, list, optional, text, textOf } from '../schema.ts'
import { problemsOfCombination } from './combinations.ts'

/** Limits of a session request (decisions, "Generate session"). */
export const maxNames = 100
export const maxSecurityContextBytes = 64 * 1024

/** The name of a group, tenant group or attribute. */
export const name = textOf(1, 100)

/** How the prefix of names that are ours begins. */
export const reservedPrefix = 'system:'

/** The name of a group that is being created. */
export const newGroupName = v.pipe(
  name,
  v.check((value) => !value.startsWith(reservedPrefix), `must not begin with ${reservedPrefix}, which is reserved`),
  v.metadata({ pattern: `^(?!${reservedPrefix})` }),
)

const atMost = <const Item extends v.GenericSchema>(item: Item) =>
  v.pipe(list(item), v.maxLength(maxNames, `must have at most ${maxNames} entries`))

const names = v.pipe(
  atMost(name),
  v.check((all) => new Set(all).size === all.length, 'must not repeat a name'),
  v.metadata({ uniqueItems: true }),
)

/** A list of objects in which no name comes twice. */
const named = <const Entry extends v.GenericSchema<{ name: string }, { name: string }>>(entry: Entry) =>
  v.pipe(
    atMost(entry),
    v.check((entries) => new Set(entries.map((each) => each.name)).size === entries.length, 'must not repeat a name'),
  )

/** Not an integer that reading its JSON has changed: 9007199254740993 would name another customer. */
const isExact = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))

const exact = v.pipe(v.number(), v.check(isExact, 'must be finite, and as an integer within ±(2^53 - 1)'))

const AttributeValue = v.union(
  [text, exact, v.boolean(), v.array(text), v.array(exact)],
  'must be a string, a number, a boolean, a list of strings or a list of numbers',
)

export const embedTenantName = v.pipe(text, v.regex(embedTenantNamePattern, embedTenantNameRule))

const hasExactNumbers = (value: unknown): boolean =>
  typeof value === 'number'
    ? isExact(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(hasExactNumbers)

const securityContext = v.pipe(
  freeForm,
  v.check(
    (context) => hasExactNumbers(context),
    'must have no integers beyond ±(2^53 - 1), which would be changed; send them as strings',
  ),
  v.check((context) => !Object.hasOwn(context, 'platformCloud'), 'must not bring its own platformCloud'),
  v.metadata({ propertyNames: { not: { const: 'platformCloud' } } }),
  v.check(
    (context) => Buffer.byteLength(JSON.stringify(context)) <= maxSecurityContextBytes,
    `must have at most ${maxSecurityContextBytes} bytes as JSON`,
  ),
)

/** GenerateSessionDTO, field by field as in the specification. */
export const Fields = exactly({
  deploymentId: id,
  creatorMode: optional(boolean),
  email: optional(text),
  externalId: optional(
    v.pipe(
      text,
      v.metadata({ pattern: '\\S' }),
      v.transform((value) => value.trim().toLowerCase()),
      v.minLength(1, 'must not be blank'),
    ),
  ),
  internalId: optional(textOf(1, 320)),
  embedTenantName: optional(embedTenantName),
  embedTenantProfile: optional(exactly({ displayName: optional(text) })),
  userProfile: optional(exactly({ displayName: optional(text), picture: optional(text) })),
  embedTheme: optional(
    exactly({
      analyticsChat: optional(
        exactly({
          backgroundColor: optional(text),
          chatInput: optional(exactly({ backgroundColor: optional(text), borderColor: optional(text) })),
        }),
      ),
      chat: optional(exactly({ inputColor: optional(text) })),
      font: optional(text),
      primaryColor: optional(text),
    }),
  ),
  groups: optional(names),
  tenantGroups: optional(names),
  tenantGroupDefinitions: optional(named(exactly({ name: newGroupName, description: optional(text) }))),
  groupDefinitions: optional(list(exactly({ name: text, description: optional(text) }))),
  userAttributes: optional(named(exactly({ name, value: AttributeValue }))),
  userAttributeDefinitions: optional(
    named(
      exactly({
        name,
        defaultValue: optional(text),
        description: optional(text),
        displayName: optional(text),
      }),
    ),
  ),
  securityContext: optional(securityContext),
  roles: optional(names),
  publicDashboardId: optional(text),
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

/** The fields and what they need of each other. */
export const GenerateSession = v.pipe(
  Fields,
  v.rawCheck(({ dataset, addIssue }) => {
    // Also where a field is wrong in itself: every problem is to be found at once.
    const input = dataset.value as GenerateSession | null
    if (typeof input !== 'object' || input === null) return
    for (const [key, message] of problemsOfCombination(input)) {
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] })
    }
  }),
)

export type GenerateSession = v.InferOutput<typeof Fields>
