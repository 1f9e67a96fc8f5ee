import { hash } from 'node:crypto'
import type { Recipient } from '../notifications/keys.ts'
import type { Grantee, ResourceType } from '../workbooks/keys.ts'
import { type Kind, thingId } from './kind.ts'
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

/** A reference to a thing of the account, which may not be known. */
const withinAccount = (field: Reference['field'], to: KindName, identity: (data: Data) => object | false) =>
  reference(field, to, (data, accountId) => {
    const within = accountId !== undefined && identity(data)
    return within && { accountId, ...within }
  })

const toAccount = reference('accountId', 'account', ({ accountId }) => ({ id: accountId }))
const toDeployment = reference('deploymentId', 'deployment', ({ deploymentId }) => ({ id: deploymentId }))

const toFolder = (field: 'parentId' | 'folderId') =>
  reference(field, 'folder', ({ deploymentId, [field]: id = null }) => id !== null && { deploymentId, id })

const toResource = (to: ResourceType) =>
  reference('resource', to, ({ deploymentId, resource: { type, id } }) => type === to && { deploymentId, id })

const toNotification = reference('notificationId', 'notification', ({ deploymentId, notificationId: id }) => ({
  deploymentId,
  id,
}))

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
    withinAccount('grantee', 'embedTenant', ({ grantee }) => grantee.type === 'embedTenant' && { name: grantee.name }),
  ],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [
    toNotification,
    withinAccount('recipient', 'user', ({ recipient: to }) => to.type === 'user' && { id: to.userId }),
    withinAccount(
      'recipient',
      'embedTenant',
      ({ recipient: to }) => to.type === 'embedUser' && { name: to.embedTenantName },
    ),
  ],
}

/** What the data of a kind refers to: the field, what identifies the other thing, and its {@link thingId}. */
export const referencesOf = (kind: KindName, data: unknown, owner?: string) =>
  references[kind].flatMap(({ field, to, identity: identityIn }) => {
    const identity = identityIn(data as Data, owner)
    return identity ? [{ field, to, identity, id: thingId(to, (kinds[to] as Kind).key(identity)) }] : []
  })

/** Things that changes refer to and that no change has. */
export type Missing = { readonly count: number; readonly first: { readonly number: number; readonly what: string } }

/** The newest change of a thing so far, with the number of its line and a digest of its content. */
type Seen = {
  readonly op: 'put' | 'delete'
  readonly revision: number
  readonly number: number
  readonly content: string
}

/** Collects what valid changes have and what they refer to, in any order. */
export function referenceCheck() {
  const newest = new Map<string, Seen>()
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
      const content = hash('sha256', `${op} ${JSON.stringify(parsed.content)}`, 'base64').slice(0, 12)
      const before = newest.get(id)
      const contradicts = before && before.revision === parsed.change.revision && before.content !== content
      const problem = contradicts ? `same thing and revision as line ${before.number}, other content` : undefined
      if (revision >= (before?.revision ?? Number.NEGATIVE_INFINITY)) newest.set(id, { op, revision, number, content })
      if (op === 'delete') return problem
      for (const { field, to, identity, id } of referencesOf(kind, data)) {
        const what = `/data/${field} refers to ${to} ${JSON.stringify(identity)}, which is not in the file`
        const { count, first } = wanted.get(id) ?? { count: 0, first: { number, what } }
        wanted.set(id, { count: count + 1, first })
      }
      return problem
    },
    /** What the changes so far refer to and don't have, in the order of the lines that first name them. */
    missing: (): Missing[] => [...wanted].flatMap(([id, each]) => (newest.get(id)?.op === 'put' ? [] : [each])),
  }
}
