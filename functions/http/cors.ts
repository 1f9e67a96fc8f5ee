/**
 * What pages of other origins may send and read. `authorization` is not among the headers, so such a page can only call
 * the public operations.
 */
export const crossOrigin = {
  methods: ['GET', 'POST'],
  headers: ['content-type'],
  exposedHeaders: ['x-request-id', 'retry-after'],
  maxAgeSeconds: 300,
} as const
