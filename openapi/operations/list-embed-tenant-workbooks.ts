import { pageOf, responseSchemas } from '../components.ts'
import { listParameters } from '../lists.ts'
import type { Described } from '../operation.ts'

const workbook = {
  id: 100,
  deploymentId: 1001,
  name: 'Revenue by region',
  meta: {},
  calculatedFields: {},
  createdAt: '2026-01-12T09:30:00Z',
  updatedAt: '2026-03-02T14:05:00Z',
  type: 'WORKBOOK',
  createdBy: 17,
  folderId: 12,
  publishedDashboard: {
    id: 4210,
    publicId: 'pub-4210',
    deploymentId: 1001,
    workbookId: 100,
    status: 'published',
    allowEmbed: true,
    config: {
      kind: 'CLASSIC',
      title: 'Revenue',
      widgets: [{ id: 'w1', type: 'CHART', position: { x: 0, y: 0, w: 6, h: 4 } }],
    },
    versionNumber: 3,
    versionId: 9003,
    reportSnapshots: [{ id: 1, reportId: 71, versionNumber: 2, kind: 'vega', name: 'Revenue' }],
  },
  slug: 'revenue-by-region',
  user: { id: 17, email: 'priya.raman@harborline.example', firstName: 'Priya', picture: null },
  folderPath: [
    { id: 5, name: 'Sales' },
    { id: 12, name: 'Regions' },
  ],
}

export const described: Described = {
  tag: 'Workbooks',
  summary: 'List workbooks that an embed tenant can access',
  description:
    'For admins. Every workbook that end users of the embed tenant can see, each once, whichever of the three sources ' +
    'grants it: a share with the tenant, a share with all embed users, or a shared folder above it at any depth (within ' +
    '32 levels from the top). ' +
    'The order is fixed. If items come or go between two pages, no other item appears twice or is missed. ' +
    'A page may be short, or empty, and still have a next one, for example where many shared folders are empty.',
  parameters: {
    ...listParameters,
    embedTenantName: {
      description:
        'The embed tenant, in any case of letters. A tenant that nothing in the account has named gives 404.',
      example: 'alder-oak',
    },
    accessSource: {
      description:
        'Only workbooks that this source grants: `tenant` (shared with the tenant itself), `allEmbedUsers` (shared with ' +
        'all embed users) or `folder` (in a folder, at any depth, that is shared with either). Without a value: the union.',
    },
    include: {
      description: '`accessSources` adds to each workbook every reason why it can be seen, whatever `accessSource` is.',
    },
  },
  success: {
    description: 'A page of workbooks.',
    schema: pageOf(responseSchemas.Workbook),
    examples: {
      page: {
        summary: 'A page with one workbook',
        value: {
          items: [workbook],
          pageInfo: {
            hasNextPage: true,
            hasPreviousPage: false,
            startCursor: 'kX2v0jFQ1cSgqk0nHkUo8wL2E1L2IxMi8tYzEwMA',
            endCursor: 'kX2v0jFQ1cSgqk0nHkUo8wL2E1L2IxMi8tYzEwMA',
          },
        },
      },
    },
  },
  refusals: ['embed_tenant_not_found'],
}
