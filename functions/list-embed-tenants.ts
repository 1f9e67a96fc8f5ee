import { listEmbedTenants } from '@embed-access/core/embed-tenants/list.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { lowerCase, upTo } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { answerOfPage, forLists, paging, parameter } from './http/list.ts'
import { operation } from './http/operation.ts'

/** No name is longer. */
const search = v.pipe(parameter, v.transform(lowerCase), upTo(36))

export const handler = await operation('list-embed-tenants', {
  ...forLists,
  input: { query: v.object({ ...paging, search: v.optional(search) }) },
  async answer({ storage, principal: { accountId, scoped }, query }) {
    // An embed tenant belongs to its account, and to no deployment.
    if (scoped)
      throw new Refusal(
        'deployment_forbidden',
        'Embed tenants belong to the account, and this credential opens only some deployments.',
      )
    return answerOfPage(await listEmbedTenants(storage, { accountId, ...query }))
  },
})
