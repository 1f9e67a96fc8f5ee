import { keySetMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import type { Described } from '../described.ts'
import { keySet } from '../examples.ts'

export const described: Described = {
  tag: 'Service',
  summary: 'Keys that verify embed tokens',
  description:
    'A JSON Web Key Set (RFC 7517). The next signing key is published before it signs, the last one until all its tokens ' +
    'have ended. Verifiers look a key up by the `kid` of the token and may keep the set for as long as `Cache-Control` says.',
  success: {
    status: 200,
    description: 'The key set.',
    schema: { $ref: '#/components/schemas/KeySet' },
    examples: { keys: { summary: 'One key', value: keySet } },
    cacheControl: `public, max-age=${keySetMaxAgeSeconds}`,
  },
}
