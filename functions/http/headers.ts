/** Browsers must not guess another content type, and must use https for a year. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
}

export const commonHeaders = { 'cache-control': 'no-store', ...securityHeaders }

/** `groupDefinitions` has been deprecated since 2026-01-01. RFC 9745 wants the time in seconds. */
export const groupDefinitionsDeprecation = { deprecation: `@${Date.UTC(2026, 0, 1) / 1000}` }

/**
 * The headers of an answer that every cache may keep for so many seconds. API Gateway allows only
 * the origin that has asked. So a cache must not give the answer to a page of another origin.
 */
export const cacheableFor = (seconds: number) => ({
  'cache-control': `public, max-age=${seconds}`,
  vary: 'accept-encoding, origin',
})

export const documentationMaxAgeSeconds = 300

/**
 * What pages of other origins may send and read. A page sends `authorization` to end its own embed
 * token. The service uses no cookies, so a browser adds no credential that the page does not have.
 * An API key from such a page is refused (`caller.ts`).
 */
export const crossOrigin = {
  methods: ['GET', 'POST', 'DELETE'],
  headers: ['authorization', 'content-type'],
  exposedHeaders: ['x-request-id', 'apigw-requestid', 'retry-after'],
  maxAgeSeconds: 300,
} as const
