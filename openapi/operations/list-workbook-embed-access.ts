import { exactly } from '@embed-access/core/schema.ts'
import * as v from 'valibot'
import { deploymentIdParameter, pagingParameters } from '../common-parameters.ts'
import { pageOf, responseSchemas } from '../components.ts'
import type { Described } from '../described.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import { noMorePages } from '../shared-examples.ts'

const tenant = { type: 'embedTenant', name: 'alder-oak' }
const all = { type: 'allEmbedUsers' }
const folder = { id: 12, name: 'Shared with partners' }
const inFolder = { source: 'folder', folder, grantee: tenant }
const notShared = [tenant, all].map((grantee) => ({ grantee, state: 'notShared' }))

export const described: Described = {
  tag: 'Workbooks',
  summary: 'List who can see a workbook',
  description:
    'An extension of ours. For admins. All embed users, if the workbook or a folder above it is shared with them, and then the embed ' +
    'tenants by name with whom one of these is shared, each with every reason. With `embedTenantName` the page has that tenant alone, with ' +
    'the reasons that it shares with all embed users too, and `explanation` says why it sees the workbook or does not. A tenant sees a ' +
    'workbook exactly if its own list has it; that list may take as long to show it as indexes take.',
  parameters: {
    ...deploymentIdParameter,
    ...pagingParameters,
    workbookId: {
      description: 'The workbook. One of another deployment gives 404, as an unknown one does.',
      example: 5001,
    },
    embedTenantName: { description: 'Only this embed tenant, with the explanation. In any case.' },
  },
  success: {
    status: 200,
    description: 'A page of those who can see the workbook.',
    schema: jsonSchemaOf(
      exactly({
        ...pageOf(responseSchemas.EmbedAccess).entries,
        explanation: v.optional(responseSchemas.AccessExplanation),
      }),
      'response',
      responseSchemas,
    ),
    examples: {
      page: {
        summary: 'All embed users, and a tenant by a folder',
        value: {
          items: [
            { grantee: all, reasons: [{ source: 'allEmbedUsers' }] },
            { grantee: tenant, reasons: [inFolder] },
          ],
          pageInfo: noMorePages,
        },
      },
      tenant: {
        summary: 'Why one tenant sees it',
        value: {
          items: [{ grantee: tenant, reasons: [inFolder] }],
          pageInfo: noMorePages,
          explanation: {
            isSeen: true,
            path: [
              { type: 'folder', ...folder, shares: [{ grantee: tenant, state: 'shared' }, notShared[1]] },
              { type: 'workbook', id: 5, name: 'Sales', shares: notShared },
            ],
            end: null,
          },
        },
      },
    },
  },
  refusals: ['workbook_not_found', 'embed_tenant_not_found'],
}
