/**
 * When tests begin, in milliseconds since 1970: ahead of every real clock. DynamoDB Local deletes what has expired by the real
 * clock within a second, and no test's item may go that way.
 */
export const startOfTime = Date.parse('2100-06-01T12:00:00Z')

/** For a test that may take more than 20 seconds on a busy machine with two cores. Each says why. */
export const slow = { timeout: 120_000 }
