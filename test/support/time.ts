/**
 * When tests begin, in milliseconds: ahead of every real clock, by which DynamoDB Local deletes
 * what has expired.
 */
export const startOfTime = Date.parse('2100-06-01T12:00:00Z')

/**
 * For a test that may take more than a minute on a busy machine with two cores. Each says why.
 */
export const slow = { timeout: 120_000 }
