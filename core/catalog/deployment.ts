import * as v from 'valibot'
import { deploymentKey, deploymentsOf } from '../access/keys.ts'
import { exactly, id, optional, text } from '../schema.ts'
import { ascending } from '../storage/keys.ts'
import { newVersion } from '../storage/version.ts'
import { accountId } from './account.ts'
import { NotApplicable } from './change.ts'
import { rewrite, tombstone } from './item.ts'
import { type Attributes, kind } from './kind.ts'
import { createNamedTenants } from './named-tenants.ts'

type Deployment = { readonly accountId: string; readonly id: number; readonly name: string }

const item = (data: Deployment): Attributes => ({
  ...data,
  deploymentList: deploymentsOf(data.accountId),
  order: ascending(data.id),
})

/**
 * A deployment stays with its account. Its tombstone keeps the account for good. Otherwise another account could take
 * the id and see what is in the deployment.
 */
export const deployment = kind({
  name: 'deployment',
  table: 'catalog',
  data: exactly({ accountId, id, name: text }),
  identity: v.object({ id, accountId: optional(accountId) }),
  key: ({ id }) => deploymentKey(id),
  item,
  async write({ storage }, { op, revision, data }) {
    const key = deploymentKey(data.id)
    const version = newVersion()
    let outcome: 'applied' | 'skipped' = 'applied'
    await rewrite(storage, 'catalog', key, (there) => {
      const owner = there?.accountId as string | undefined
      if (owner !== undefined && data.accountId !== undefined && owner !== data.accountId) {
        throw new NotApplicable('accountId', 'the deployment belongs to another account, and ids are never handed on')
      }
      const known = there?.revision as number | undefined
      const isNewer = revision === undefined || known === undefined || revision > known
      // If the item has this version already, this change wrote it, and the answer was lost.
      const isOwn = there?.version === version
      outcome = isNewer || isOwn ? 'applied' : 'skipped'
      if (!isNewer || isOwn) return undefined
      const content = op === 'put' ? item(data) : { ...tombstone(data), accountId: owner ?? data.accountId }
      return { ...key, kind: 'deployment', ...content, revision: revision ?? known, version }
    })
    return outcome
  },
  async after({ storage }, { op, data }) {
    if (op === 'put') await createNamedTenants(storage, data.accountId, data.id)
  },
})
