/* A file of its own, so that functions that need only these numbers load no SDK. */

/** How long a session can be redeemed, in seconds. */
export const sessionLifetimeSeconds = 300

/** The longest lifetime of a token that a stage may set, in seconds. A revocation lives longer. */
export const maxTokenSeconds = 86_400
