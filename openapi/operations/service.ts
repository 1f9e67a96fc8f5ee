import { keySetMaxAgeSeconds } from '@embed-access/core/signing/signing-keys.ts'
import { cacheableFor, documentationMaxAgeSeconds } from '../../functions/http/headers.ts'
import type { Operations } from '../operation.ts'

const keySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: '8gTj1n0tGqf6mLwM0aZfNlqX2u5O4kQ3eR7dYb9sVcI',
      alg: 'ES256',
      use: 'sig',
    },
  ],
}

const cacheControlFor = (seconds: number) => cacheableFor(seconds)['cache-control']

export const service = {
  'get-key-set': {
    summary: 'Keys that verify embed tokens',
    description:
      'A JSON Web Key Set (RFC 7517). A signing key is published before it signs, and until all ' +
      'its tokens have expired. Verifiers find a key by the `kid` of the token. They may keep ' +
      'the set for as long as `Cache-Control` says.',
    success: {
      description: 'The key set.',
      schema: { $ref: '#/components/schemas/KeySet' },
      examples: { keys: { summary: 'One key', value: keySet } },
      cacheControl: cacheControlFor(keySetMaxAgeSeconds),
    },
  },
  'get-embed-revocations': {
    summary: 'Which embed tokens are revoked',
    description:
      'A JWT of the type `embed-revocations+jwt`, signed with a key of the key set, and valid ' +
      'for two minutes. Its claims are those of `EmbedRevocations`: hashes of all tokens, API ' +
      'keys, users, embed tenants, end users, deployments and accounts that were revoked or ' +
      'deleted, as long as their tokens could still be in use. Verifiers read it every 15 ' +
      'seconds. An extension of this service.',
    success: {
      description: 'The document.',
      contentType: 'application/jwt',
      schema: {
        type: 'string',
        pattern: '^[\\w-]+(\\.[\\w-]+){2}$',
        contentMediaType: 'application/jwt',
        contentSchema: { $ref: '#/components/schemas/EmbedRevocations' },
      },
      headers: ['ETag'],
      cacheControl: /^public, max-age=\d+$/,
    },
  },
  'get-spec': {
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
          value: {
            openapi: '3.1.1',
            info: { title: 'Embed access API', version: '1.1.0' },
            paths: {},
          },
        },
      },
      cacheControl: cacheControlFor(documentationMaxAgeSeconds),
    },
  },
  'get-error-reference': {
    summary: 'What each error code means',
    description:
      'A page for people, with cause and remedy of each code. The `type` of every problem ' +
      'links to it.',
    success: {
      description: 'The page.',
      contentType: 'text/html',
      schema: { type: 'string' },
      cacheControl: cacheControlFor(documentationMaxAgeSeconds),
    },
  },
} satisfies Operations
