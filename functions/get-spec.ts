import document from '../docs/openapi.json' with { type: 'json' }
import { documentationCacheControl } from './http/cache-control.ts'
import { endpoint } from './http/endpoint.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'

export const operation = operations['get-spec']

/**
 * Serves the committed document. A test keeps it equal to the code, so no request waits while schemas are converted.
 */
export const create = (base: Pick<Runtime, 'issuer' | 'log' | 'now'>) => {
  const json = JSON.stringify(document)
  const headers = { 'cache-control': documentationCacheControl }
  return endpoint(base, operation, { answer: () => ({ json, headers }) })
}

export const rehearsal = () => [rehearsed(operation)]

export const handler = await onLambda(create, {}, rehearsal)
