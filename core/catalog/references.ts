import { itemId } from '../storage/batch-get.ts'
import { type Content, contentOf, digest, type Kind, type Parsed } from './kind.ts'
import { type KindName, kinds } from './kinds.ts'

type Data = Content & {
  readonly resource: { readonly type: string; readonly id: number }
  readonly grantee: { readonly name?: string }
  readonly recipient: { readonly userId?: number; readonly embedTenantName?: string }
}

/**
 * A field that names another thing. The thing's id or name is the field's value, unless `nameIn`
 * says which part of it.
 */
export type Reference = {
  readonly field: string
  readonly to: KindName
  readonly nameIn?: (data: Data) => unknown
}

const toAccount: Reference = { field: 'accountId', to: 'account' }
const toDeployment: Reference = { field: 'deploymentId', to: 'deployment' }
const toResource = (to: 'workbook' | 'folder'): Reference => ({
  field: 'resource',
  to,
  nameIn: ({ resource: { type, id } }) => (type === to ? id : null),
})

/** What the fields of each kind refer to. */
export const references: Readonly<Record<KindName, readonly Reference[]>> = {
  account: [],
  user: [toAccount],
  apiKey: [{ field: 'userId', to: 'user' }],
  deployment: [toAccount],
  embedTenant: [toAccount],
  group: [toAccount],
  tenantGroup: [toAccount],
  attributeDefinition: [toAccount],
  folder: [toDeployment, { field: 'parentId', to: 'folder' }],
  workbook: [toDeployment, { field: 'folderId', to: 'folder' }],
  share: [
    toResource('workbook'),
    toResource('folder'),
    { field: 'grantee', to: 'embedTenant', nameIn: ({ grantee }) => grantee.name },
  ],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [
    { field: 'notificationId', to: 'notification' },
    { field: 'recipient', to: 'user', nameIn: ({ recipient }) => recipient.userId },
    { field: 'recipient', to: 'embedTenant', nameIn: ({ recipient }) => recipient.embedTenantName },
  ],
}

/**
 * What the data of a kind refers to. `accountId` is the account of the data's deployment. A file
 * does not say it, and may lack the embed tenant of a share or recipient, since naming one creates
 * it.
 */
export const referencesOf = (kind: KindName, data: unknown, accountId?: string) =>
  references[kind].flatMap(({ field, to, nameIn = (data) => data[field] }) => {
    const identity = identityOf(to, nameIn(data as Data) ?? undefined, {
      accountId,
      ...(data as Data),
    })
    const isKnown = Object.values(identity).every((each) => each !== undefined)
    return isKnown ? [{ field, to, identity, id: itemId((kinds[to] as Kind).key(identity)) }] : []
  })

function identityOf(to: KindName, name: unknown, { accountId, deploymentId }: Content): Content {
  if (to === 'account' || to === 'deployment') return { id: name }
  if (to === 'embedTenant') return { accountId, name }
  return to === 'user' ? { accountId, id: name } : { deploymentId, id: name }
}

/** Collects what the changes of a file have and what they refer to, in any order. */
export function referenceCheck() {
  const newest = new Map<
    string,
    { op: string; revision: number; number: number; content: number }
  >()
  const wanted = new Map<string, { count: number; first: { number: number; what: string } }>()
  return {
    /** Takes the valid change of a line, and says what is wrong with it beside an earlier one. */
    take(parsed: Parsed, number: number): string | undefined {
      const kind = parsed.kind.name as KindName
      const id = itemId(parsed.key)
      const { op, data, revision = Number.POSITIVE_INFINITY } = parsed.change
      const content = digest(contentOf(parsed))
      const before = newest.get(id)
      if (!before || revision >= before.revision) newest.set(id, { op, revision, number, content })
      for (const { field, to, identity, id } of op === 'put' ? referencesOf(kind, data) : []) {
        const what =
          `/data/${field} refers to ${to} ${JSON.stringify(identity)}, which is not in the ` +
          'file'
        const { count, first } = wanted.get(id) ?? { count: 0, first: { number, what } }
        wanted.set(id, { count: count + 1, first })
      }
      const contradicts =
        before && before.revision === parsed.change.revision && before.content !== content
      return contradicts
        ? `same thing and revision as line ${before.number}, other content`
        : undefined
    },
    /**
     * What the changes so far refer to and don't have, in the order of the lines that first name
     * them.
     */
    missing: () =>
      [...wanted].flatMap(([id, each]) => (newest.get(id)?.op === 'put' ? [] : [each])),
  }
}
