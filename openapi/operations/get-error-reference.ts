import { documentationCacheControl } from '../../functions/http/headers.ts'
import type { Described } from '../operation.ts'

export const described: Described = {
  tag: 'Service',
  summary: 'What each error code means',
  description: 'A page for people, with cause and remedy of each code. The `type` of every problem links to it.',
  success: {
    description: 'The page.',
    contentType: 'text/html',
    schema: { type: 'string' },
    cacheControl: documentationCacheControl,
  },
}
