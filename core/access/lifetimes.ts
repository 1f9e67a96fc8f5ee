/* Apart from revocations, so that the functions that answer with a constant bring no SDK with them. */

/** How long a session can be redeemed, in seconds. */
export const sessionLifetimeSeconds = 300

/**
 * The longest lifetime of a token that any stage may set, in seconds. A revocation outlives every
 * token.
 */
export const maxTokenSeconds = 86_400
