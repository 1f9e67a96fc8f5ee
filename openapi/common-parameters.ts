/** Parameters that several operations take. */

export const deploymentIdParameter = {
  deploymentId: {
    description: 'The deployment. One of another account is 404, as if it were not there.',
    example: 1001,
  },
} as const

export const pagingParameters = {
  first: {
    description: 'How many items a page has: 100 unless given, and at most 200; more is served as 200.',
    example: 50,
  },
  after: {
    description:
      'The `pageInfo.endCursor` of the previous page of this very list with these very filters. Cursors are opaque.',
  },
} as const
