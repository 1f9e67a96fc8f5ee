import type { Recipient } from '../notifications/keys.ts'
import { type ItemKey, itemId } from '../storage/batch-get.ts'
import type { Grantee, ResourceType } from '../workbooks/keys.ts'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'
import { parse } from './parse.ts'

export type KindName = keyof typeof kinds

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

/** A field that names another thing. */
export type Reference = {
  readonly field: keyof Data
  readonly to: KindName
  /**
   * What identifies that thing; false if the data names none.
   * @param owner the account of the data's deployment, if it is known
   */
  identity(data: Data, owner: string | undefined): object | false
}

const reference = (field: Reference['field'], to: KindName, identity: Reference['identity']): Reference => ({
  field,
  to,
  identity,
})

const toAccount = reference('accountId', 'account', ({ accountId }) => ({ id: accountId }))
const toDeployment = reference('deploymentId', 'deployment', ({ deploymentId }) => ({ id: deploymentId }))

const toFolder = (field: 'parentId' | 'folderId') =>
  reference(field, 'folder', ({ deploymentId, [field]: id = null }) => id !== null && { deploymentId, id })

const toResource = (to: ResourceType) =>
  reference('resource', to, ({ deploymentId, resource: { type, id } }) => type === to && { deploymentId, id })

/**
 * What the fields of each kind refer to. While the other thing is missing, the reference counts for nothing. A file may
 * lack the embed tenant of a share or recipient, since naming one creates it.
 */
export const references: Readonly<Record<KindName, readonly Reference[]>> = {
  account: [],
  user: [toAccount],
  apiKey: [reference('userId', 'user', ({ accountId, userId }) => ({ accountId, id: userId }))],
  deployment: [toAccount],
  embedTenant: [toAccount],
  group: [toAccount],
  tenantGroup: [toAccount],
  attributeDefinition: [toAccount],
  folder: [toDeployment, toFolder('parentId')],
  workbook: [toDeployment, toFolder('folderId')],
  share: [
    toResource('workbook'),
    toResource('folder'),
    reference(
      'grantee',
      'embedTenant',
      ({ grantee }, accountId) =>
        accountId !== undefined && grantee.type === 'embedTenant' && { accountId, name: grantee.name },
    ),
  ],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [
    reference('notificationId', 'notification', ({ deploymentId, notificationId }) => ({
      deploymentId,
      id: notificationId,
    })),
    reference(
      'recipient',
      'user',
      ({ recipient }, accountId) =>
        accountId !== undefined && recipient.type === 'user' && { accountId, id: recipient.userId },
    ),
    reference(
      'recipient',
      'embedTenant',
      ({ recipient }, accountId) =>
        accountId !== undefined && recipient.type === 'embedUser' && { accountId, name: recipient.embedTenantName },
    ),
  ],
}

/** Names a thing among those of all kinds. */
export const thingId = (kind: string, key: ItemKey): string => `${kind} ${itemId(key)}`

/** What the data of a kind refers to: the field, what identifies the other thing, and its {@link thingId}. */
export const referencesOf = (kind: KindName, data: unknown, owner?: string) =>
  references[kind].flatMap(({ field, to, identity: identityIn }) => {
    const identity = identityIn(data as Data, owner)
    return identity ? [{ field, to, identity, id: thingId(to, (kinds[to] as Kind).key(identity)) }] : []
  })

/** Things that changes refer to and that no change has. */
export type Missing = { readonly count: number; readonly first: { readonly number: number; readonly what: string } }

/** Collects what valid changes have and what they refer to, in any order. */
export function referenceCheck() {
  const present = new Map<string, number>()
  const absent = new Set<string>()
  const wanted = new Map<string, Missing>()
  return {
    /** @param number of the change's line */
    take(input: unknown, number: number): void {
      const parsed = parse(input)
      if ('problems' in parsed) return
      const kind = parsed.kind.name as KindName
      const id = thingId(kind, parsed.key)
      const { op, data, revision = Number.POSITIVE_INFINITY } = parsed.change
      if (revision >= (present.get(id) ?? Number.NEGATIVE_INFINITY)) {
        present.set(id, revision)
        if (op === 'delete') absent.add(id)
        else absent.delete(id)
      }
      if (op === 'delete') return
      for (const { field, to, identity, id } of referencesOf(kind, data)) {
        want(id, `/data/${field} refers to ${to} ${JSON.stringify(identity)}, which is not in the file`, number)
      }
    },
    /** What the changes so far refer to and don't have, in the order of the lines that first name them. */
    missing: (): Missing[] => [...wanted].flatMap(([id, each]) => (present.has(id) && !absent.has(id) ? [] : [each])),
  }

  function want(id: string, what: string, number: number): void {
    const before = wanted.get(id)
    wanted.set(id, { count: (before?.count ?? 0) + 1, first: before?.first ?? { number, what } })
  }
}
