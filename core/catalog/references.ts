import { itemId } from '../storage/batch-get.ts'
import { kinds } from './kinds.ts'
import { type Parsed, parse } from './parse.ts'

type KindName = keyof typeof kinds

/** A field that names another thing. */
export type Reference = {
  readonly field: string
  readonly to: KindName
  /** What identifies that thing; undefined if the data names none. */
  identity(data: never): object | undefined
}

const toAccount: Reference = { field: 'accountId', to: 'account', identity: named('accountId', 'id') }
const toDeployment: Reference = { field: 'deploymentId', to: 'deployment', identity: named('deploymentId', 'id') }

const toFolder = (field: 'parentId' | 'folderId'): Reference => ({
  field,
  to: 'folder',
  identity: ({ deploymentId, [field]: id }: { deploymentId: number; [field: string]: number | null | undefined }) =>
    id === null || id === undefined ? undefined : { deploymentId, id },
})

const toResource = (to: 'workbook' | 'folder'): Reference => ({
  field: 'resource',
  to,
  identity: ({ deploymentId, resource }: { deploymentId: number; resource: { type: string; id: number } }) =>
    resource.type === to ? { deploymentId, id: resource.id } : undefined,
})

/**
 * What the fields of each kind refer to. While the other thing is missing, the reference counts for nothing. Embed
 * tenants are not among them, since naming one creates it.
 */
export const references: Readonly<Record<KindName, readonly Reference[]>> = {
  account: [],
  user: [toAccount],
  apiKey: [
    {
      field: 'userId',
      to: 'user',
      identity: ({ accountId, userId }: { accountId: string; userId: number }) => ({ accountId, id: userId }),
    },
  ],
  deployment: [toAccount],
  embedTenant: [toAccount],
  group: [toAccount],
  tenantGroup: [toAccount],
  attributeDefinition: [toAccount],
  folder: [toDeployment, toFolder('parentId')],
  workbook: [toDeployment, toFolder('folderId')],
  share: [toResource('workbook'), toResource('folder')],
  dbtSync: [toDeployment],
  notification: [toDeployment],
  recipient: [
    {
      field: 'notificationId',
      to: 'notification',
      identity: ({ deploymentId, notificationId }: { deploymentId: number; notificationId: number }) => ({
        deploymentId,
        id: notificationId,
      }),
    },
  ],
}

function named(field: string, as: string) {
  return (data: Readonly<Record<string, unknown>>) => ({ [as]: data[field] })
}

/** Things that changes refer to and that no change has. */
export type Missing = { readonly count: number; readonly first: { readonly number: number; readonly what: string } }

/** Collects what valid changes have and what they refer to, in any order. */
export function referenceCheck() {
  const there = new Map<string, number>()
  const absent = new Set<string>()
  const wanted = new Map<string, Missing>()
  return {
    /** @param number of the change's line */
    take(input: unknown, number: number): void {
      const parsed = parse(input)
      if ('problems' in parsed) return
      const id = idOf(parsed.kind.name as KindName, parsed.key)
      const { op, revision = Number.POSITIVE_INFINITY } = parsed.change
      if (revision >= (there.get(id) ?? Number.NEGATIVE_INFINITY)) {
        there.set(id, revision)
        if (op === 'delete') absent.add(id)
        else absent.delete(id)
      }
      if (op === 'put') for (const each of wantedBy(parsed)) want(each, number)
    },
    /** What the changes so far refer to and don't have, in the order of the lines that first name them. */
    missing: (): Missing[] => [...wanted].flatMap(([id, each]) => (there.has(id) && !absent.has(id) ? [] : [each])),
  }

  function want({ id, what }: { id: string; what: string }, number: number): void {
    const before = wanted.get(id)
    wanted.set(id, { count: (before?.count ?? 0) + 1, first: before?.first ?? { number, what } })
  }
}

const idOf = (kind: KindName, key: Parsed['key']): string => `${kind} ${itemId(key)}`

const wantedBy = ({ kind, change: { data } }: Parsed) =>
  references[kind.name as KindName].flatMap(({ field, to, identity }) => {
    const named = identity(data as never)
    if (named === undefined) return []
    const what = `/data/${field} refers to ${to} ${JSON.stringify(named)}, which is not in the file`
    return [{ id: idOf(to, kinds[to].key(named as never)), what }]
  })
