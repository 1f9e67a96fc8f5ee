import * as v from 'valibot'
import { pageOf, responseSchemas } from '../components.ts'
import { listParameters, onlyPage } from '../lists.ts'
import type { Described } from '../operation.ts'

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
    ...listParameters,
    workbookId: {
      description: 'The workbook. One of another deployment gives 404, as an unknown one does.',
      example: 5001,
    },
    embedTenantName: { description: 'Only this embed tenant, with the explanation. In any case.' },
  },
  success: {
    description: 'A page of those who can see the workbook.',
    schema: pageOf(responseSchemas.EmbedAccess, { explanation: v.optional(responseSchemas.AccessExplanation) }),
    examples: {
      page: {
        summary: 'All embed users, and a tenant by a folder',
        value: onlyPage([
          { grantee: all, reasons: [{ source: 'allEmbedUsers' }] },
          { grantee: tenant, reasons: [inFolder] },
        ]),
      },
      tenant: {
        summary: 'Why one tenant sees it',
        value: {
          ...onlyPage([{ grantee: tenant, reasons: [inFolder] }]),
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
