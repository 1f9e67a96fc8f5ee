import { defaultPageSize, maxPageSize } from '@embed-access/core/storage/page.ts'

/** Parameters that several operations take. */

export const deploymentIdParameter = {
  deploymentId: {
    description: 'The deployment. A deployment of another account gives 404, as an unknown one does.',
    example: 1001,
  },
} as const

export const pagingParameters = {
  first: {
    description:
      `How many items a page has: ${defaultPageSize} by default, at most ${maxPageSize}. ` +
      `A larger number gives ${maxPageSize}.`,
    example: 50,
  },
  after: {
    description: 'The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque.',
  },
} as const
