/* A file of its own, so that functions that need only these numbers load no SDK. */

/** How long a session can be redeemed, in seconds. */
export const sessionLifetimeSeconds = 300

/** The shortest lifetime of a token that a session or a stage may ask for, in seconds. */
export const minTokenSeconds = 60

/** The longest lifetime of a token that a stage may set, in seconds. A revocation lives longer. */
export const maxTokenSeconds = 86_400
