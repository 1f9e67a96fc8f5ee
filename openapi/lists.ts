import { defaultPageSize, maxPageSize } from '@embed-access/core/storage/page.ts'

/** The parameters of every list of a deployment. */
export const listParameters = {
  deploymentId: {
    description: 'The deployment. A deployment of another account gives 404, as an unknown one does.',
    example: 1001,
  },
  first: {
    description:
      `How many items a page has: ${defaultPageSize} by default, at most ${maxPageSize}. ` +
      `A larger number gives ${maxPageSize}.`,
    example: 50,
  },
  after: {
    description: 'The `pageInfo.endCursor` of the previous page of this list with these filters. Cursors are opaque.',
  },
}

/** An example of a page that is the only one. */
export const onlyPage = (items: readonly object[]) => ({
  items,
  pageInfo: {
    hasNextPage: false,
    hasPreviousPage: false,
    startCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
    endCursor: 'm0Yk1xP9sQeRt7uVwXyZaBMjAyNi0wNi0wMQ',
  },
})
