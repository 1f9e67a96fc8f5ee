import {
  type Content,
  contentOf,
  digest,
  isOutdated,
  type Kind,
  type KindName,
  type Parsed,
} from '@embed-access/core/catalog/kind.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { references } from '@embed-access/core/catalog/references.ts'
import { itemId } from '@embed-access/core/storage/item.ts'

/** A thing that another one refers to, and the {@link itemId} of its item. */
type Referred = {
  field: string
  to: Kind
  identity: Content
  id: string
}

/**
 * Returns the things to which the data of a change or an item refer.
 * @param accountId the account of the data's deployment. A file does not say it. Without it, embed
 * tenants are left out: the service creates them when a share or recipient names them
 */
export const referencesOf = (kind: Kind, data: Content, accountId?: string): Referred[] =>
  references[kind.name].flatMap(({ field, to, nameIn }) => {
    const value = data[field]
    const name = nameIn ? nameIn(Object(value)) : (value ?? undefined)
    const identity = identityOf(to, name, { accountId, ...data })
    if (Object.values(identity).includes(undefined)) return []
    const referred: Kind = kinds[to]
    return [{ field, to: referred, identity, id: itemId(referred.key(identity)) }]
  })

function identityOf(to: KindName, name: unknown, { accountId, deploymentId }: Content): Content {
  if (to === 'account' || to === 'deployment') return { id: name }
  if (to === 'embedTenant') return { accountId, name }
  return to === 'user' ? { accountId, id: name } : { deploymentId, id: name }
}

export function referenceCheck() {
  /** What is there after the lines so far, as the writer would have it. */
  const newest = new Map<string, { op: string; revision: number | undefined }>()
  /** The last line of each revision of a thing, and a digest of its content. */
  const lastLines = new Map<string, { line: number; content: number }>()
  /** The first line that names an account for a thing, which stays with one account. */
  const owners = new Map<string, { line: number; accountId: unknown }>()
  const wanted = new Map<string, { count: number; first: { number: number; what: string } }>()
  return {
    /** Takes the valid change of a line. Returns how it contradicts an earlier one, if it does. */
    take(parsed: Parsed, line: number): string | undefined {
      const { kind, key, change } = parsed
      const { op, data, revision } = change
      const id = itemId(key)
      const known = newest.get(id)?.revision
      if (!isOutdated(revision, known)) newest.set(id, { op, revision: revision ?? known })
      for (const other of op === 'put' ? referencesOf(kind, data) : []) {
        const name = `${other.to.name} ${JSON.stringify(other.identity)}`
        const what = `/data/${other.field} refers to ${name}, which is not in the file`
        const { count, first } = wanted.get(other.id) ?? { count: 0, first: { number: line, what } }
        wanted.set(other.id, { count: count + 1, first })
      }
      const { accountId } = data
      if (accountId !== undefined) {
        const owner = owners.get(id) ?? { line, accountId }
        owners.set(id, owner)
        if (owner.accountId !== accountId) return `same thing as line ${owner.line}, other account`
      }
      if (revision === undefined) return undefined
      const content = digest(contentOf(parsed))
      const sameRevision = lastLines.get(`${id} ${revision}`)
      lastLines.set(`${id} ${revision}`, { line, content })
      return sameRevision && sameRevision.content !== content
        ? `same thing and revision as line ${sameRevision.line}, other content`
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
