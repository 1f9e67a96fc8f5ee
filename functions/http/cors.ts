/**
 * What pages of other origins may do: call the public operations. `authorization` is not among the headers, so that
 * browsers reach no others.
 */
export const crossOrigin = {
  methods: ['GET', 'POST'],
  headers: ['content-type'],
  exposedHeaders: ['x-request-id', 'retry-after'],
  maxAgeSeconds: 300,
} as const
