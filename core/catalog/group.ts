import * as v from 'valibot'
import { groupKey } from '../embed-tenants/embed-tenant.ts'
import { name, newGroupName } from '../embed-tenants/names.ts'
import { exactly, optional, text } from '../schema.ts'
import { accountId } from './account.ts'
import { kind } from './kind.ts'

/** A global group of an account. */
export const group = kind({
  name: 'group',
  table: 'catalog',
  data: exactly({ accountId, name: newGroupName, description: optional(text) }),
  identity: v.object({ accountId, name }),
  key: ({ accountId, name }) => groupKey(accountId, name),
  item: (data) => data,
})
