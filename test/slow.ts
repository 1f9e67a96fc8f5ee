/** For a test that may take more than 20 seconds on a busy machine with two cores. Each says why. */
export const slow = { timeout: 120_000 }
