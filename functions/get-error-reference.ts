import { documentationCacheControl } from './http/cache-control.ts'
import { endpoint } from './http/endpoint.ts'
import { errorPage } from './http/error-page.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'

export const operation = operations['get-error-reference']

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': documentationCacheControl,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** The page that the `type` of every problem links to. */
export const create = (base: Pick<Runtime, 'issuer' | 'log' | 'now'>) => {
  const text = errorPage()
  return endpoint(base, operation, { answer: () => ({ text, headers }) })
}

export const rehearsal = () => [rehearsed(operation)]

export const handler = await onLambda(create, {}, rehearsal)
