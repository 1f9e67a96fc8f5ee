/** How long API Gateway reuses an answer of the authorizer. A revoked key works for at most that much longer. */
export const authorizerCacheSeconds = 30
