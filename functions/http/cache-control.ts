/** The `Cache-Control` of an answer that anybody may keep for so many seconds. */
export const cacheableFor = (seconds: number): string => `public, max-age=${seconds}`

/** How long the document and the error reference may be kept. */
export const documentationCacheControl = cacheableFor(300)
