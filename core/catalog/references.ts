import { hash } from 'node:crypto'
import type { Recipient } from '../notifications/keys.ts'
import type { Grantee, ResourceType } from '../workbooks/keys.ts'
import { type Content, contentOf, type Kind, thingId } from './kind.ts'
import { type KindName, kinds } from './kinds.ts'
import { parse } from './parse.ts'

/** The fields that name other things. Each kind has some of them. */
type Data = {
  readonly accountId: string
  readonly userId: number
  readonly deploymentId: number
  readonly parentId: number | null
  readonly folderId?: number | null
  readonly resource: { readonly type: ResourceType; readonly id: number }
  readonly grantee: Grantee
  readonly notificationId: number
  readonly recipient: Recipient
}

/**
 * What identifies the thing that a field names; false if it names none.
 * @param accountId the account of the data's deployment, if it is known
 */
type IdentityIn = (data: Data, accountId?: string) => Content | false

/** A field that names another thing. */
const reference = (field: keyof Data, to: KindName, identityIn: IdentityIn) => ({ field, to, identityIn })

export type Reference = ReturnType<typeof reference>

const toAccount = reference('accountId', 'account', ({ accountId: id }) => ({ id }))
const toDeployment = reference('deploymentId', 'deployment', ({ deploymentId: id }) => ({ id }))

const toFolder = (field: 'parentId' | 'folderId') =>
  reference(field, 'folder', ({ deploymentId, [field]: id = null }) => id !== null && { deploymentId, id })

const toResource = (to: ResourceType) =>
  reference('resource', to, ({ deploymentId, resource: { type, id } }) => type === to && { deploymentId, id })

const toNotification = reference('notificationId', 'notification', ({ deploymentId, notificationId: id }) => ({
  deploymentId,
  id,
}))

const toGrantee = reference(
  'grantee',
  'embedTenant',
  ({ grantee }, accountId) => accountId !== undefined && 'name' in grantee && { accountId, name: grantee.name },
)

const toRecipient = reference(
  'recipient',
  'user',
  ({ recipient }, accountId) => accountId !== undefined && 'userId' in recipient && { accountId, id: recipient.userId },
)

const toTenantOfRecipient = reference(
  'recipient',
  'embedTenant',
  ({ recipient }, accountId) =>
    accountId !== undefined && 'externalId' in recipient && { accountId, name: recipient.embedTenantName },
)

/**
 * What the fields of each kind refer to. While the other thing is missing, the reference counts for nothing. A file may
 * lack the embed tenant of a share or recipient, since naming one creates it.
 */
export const references: Readonly<Record<KindName, readonly Reference[]>> = {
  account: [],
  user: [toAccount],
  apiKey: [reference('userId', 'user', ({ accountId, userId: id }) => ({ accountId, id }))],
  deployment: [toAccount],
  embedTenant: [toAccount],
  group: [toAccount],
  tenantGroup: [toAccount],
  attributeDefinition: [toAccount],
  folder: [toDeployment, toFolder('parentId')],
  workbook: [toDeployment, toFolder('folderId')],
  share: [toResource('workbook'), toResource('folder'), toGrantee],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [toNotification, toRecipient, toTenantOfRecipient],
}

/** What the data of a kind refers to: the field, what identifies the other thing, and its {@link thingId}. */
export const referencesOf = (kind: KindName, data: unknown, accountId?: string) =>
  references[kind].flatMap(({ field, to, identityIn }) => {
    const identity = identityIn(data as Data, accountId)
    return identity ? [{ field, to, identity, id: thingId(to, (kinds[to] as Kind).key(identity)) }] : []
  })

/** A thing that changes refer to and that no change has. */
export type Missing = { readonly count: number; readonly first: { readonly number: number; readonly what: string } }

/** Collects what the changes of a file have and what they refer to, in any order. */
export function referenceCheck() {
  const newest = new Map<string, { op: string; revision: number; number: number; content: string }>()
  const wanted = new Map<string, Missing>()
  return {
    /**
     * @param number of the change's line
     * @returns what is wrong with the change beside an earlier one
     */
    take(input: unknown, number: number): string | undefined {
      const parsed = parse(input)
      if ('problems' in parsed) return undefined
      const kind = parsed.kind.name as KindName
      const id = thingId(kind, parsed.key)
      const { op, data, revision = Number.POSITIVE_INFINITY } = parsed.change
      const content = hash('sha256', contentOf(parsed), 'base64').slice(0, 12)
      const before = newest.get(id)
      if (!before || revision >= before.revision) newest.set(id, { op, revision, number, content })
      for (const { field, to, identity, id } of op === 'put' ? referencesOf(kind, data) : []) {
        const what = `/data/${field} refers to ${to} ${JSON.stringify(identity)}, which is not in the file`
        const { count, first } = wanted.get(id) ?? { count: 0, first: { number, what } }
        wanted.set(id, { count: count + 1, first })
      }
      const contradicts = before && before.revision === parsed.change.revision && before.content !== content
      return contradicts ? `same thing and revision as line ${before.number}, other content` : undefined
    },
    /** What the changes so far refer to and don't have, in the order of the lines that first name them. */
    missing: (): Missing[] => [...wanted].flatMap(([id, each]) => (newest.get(id)?.op === 'put' ? [] : [each])),
  }
}
