import { documentationCacheControl } from '../../functions/http/headers.ts'
import type { Described } from '../operation.ts'

export const described: Described = {
  tag: 'Service',
  summary: 'This document',
  description: 'The OpenAPI 3.1 document of the service, as JSON.',
  success: {
    description: 'The document.',
    schema: {
      type: 'object',
      properties: {
        openapi: { type: 'string', pattern: '^3\\.1\\.' },
        info: { type: 'object', additionalProperties: true },
        paths: { type: 'object', additionalProperties: true },
      },
      required: ['openapi', 'info', 'paths'],
      additionalProperties: true,
    },
    examples: {
      document: {
        summary: 'Its beginning',
        value: { openapi: '3.1.1', info: { title: 'Embed access API', version: '1.0.0' }, paths: {} },
      },
    },
    cacheControl: documentationCacheControl,
  },
}
