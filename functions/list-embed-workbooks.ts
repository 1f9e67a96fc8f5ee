import { Refusal } from '@embed-access/core/refusal.ts'
import { listEmbedTenantWorkbooks } from '@embed-access/core/workbooks/list.ts'
import { forBearers } from './http/bearer.ts'
import { answerOfPage } from './http/list.ts'
import { operation } from './http/operation.ts'
import { workbookFilters } from './http/workbook-filters.ts'

/** The token alone says whose workbooks these are: nothing of the request names a tenant. */
export const handler = await operation('list-embed-workbooks', {
  ...forBearers,
  input: { query: workbookFilters },
  async answer({ storage, bearer: { accountId, userId, id }, query }) {
    if (userId !== undefined) throw new Refusal('external_user_required')
    const { deploymentId, embedTenantName } = id
    const whose = { accountId, deploymentId, embedTenantName }
    return answerOfPage(await listEmbedTenantWorkbooks(storage, { ...whose, ...query }))
  },
})
