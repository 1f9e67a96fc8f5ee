import * as v from 'valibot'
import { deploymentKey, deploymentsOf } from '../access/keys.ts'
import { exactly, id, integer, optional, text } from '../schema.ts'
import { ascending } from '../storage/keys.ts'
import { accountId } from './account.ts'
import { ownedLines, writeClaim } from './claims.ts'
import { kind } from './kind.ts'
import { createNamedTenants } from './named-tenants.ts'

/**
 * A deployment stays with its account. Its tombstone keeps the account for good. Otherwise another account could take
 * the id and see what is in the deployment.
 */
export const deployment = kind({
  name: 'deployment',
  table: 'catalog',
  ofOneAccount: 'this id belongs to another account, and ids are never reused',
  tombstoneStays: true,
  data: exactly({ accountId, id, name: text, accountSince: optional(integer) }),
  identity: v.object({ id, accountId: optional(accountId), accountSince: optional(integer) }),
  key: ({ id }) => deploymentKey(id),
  item: ({ accountSince: _, ...data }) => ({
    ...data,
    deploymentList: deploymentsOf(data.accountId),
    order: ascending(data.id),
  }),
  write: writeClaim,
  lines: ownedLines,
  async after({ storage }, { change: { data } }) {
    if (data.accountId !== undefined) await createNamedTenants(storage, data.accountId, data.id)
  },
})
