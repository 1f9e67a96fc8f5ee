import document from '../docs/openapi.json' with { type: 'json' }
import { forConstants } from './http/constant.ts'
import { cacheableFor, documentationMaxAgeSeconds } from './http/headers.ts'
import { operation } from './http/operation.ts'

/**
 * The committed document. A test keeps it equal to the code, so no request waits while schemas are
 * converted.
 */
const body = JSON.stringify(document)

export const handler = await operation('get-spec', {
  ...forConstants,
  answer: () => ({
    body,
    headers: cacheableFor(documentationMaxAgeSeconds),
    isCompressible: true,
  }),
})
