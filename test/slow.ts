/** For a test that may take more than its minute on a busy machine with two cores. Each says why. */
export const slow = { timeout: 120_000 }
