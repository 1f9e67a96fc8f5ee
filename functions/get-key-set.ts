import { keySetMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import { cacheableFor } from './http/cache-control.ts'
import { endpoint } from './http/endpoint.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { verificationKeys } from './runtime/tokens.ts'

export const operation = operations['get-key-set']

export const create = ({ verificationKeys, ...base }: Pick<Runtime, 'issuer' | 'log' | 'verificationKeys'>) => {
  const json = JSON.stringify(verificationKeys)
  const headers = { 'cache-control': cacheableFor(keySetMaxAgeSeconds) }
  return endpoint(base, operation, { answer: () => ({ json, headers }) })
}

export const handler = await onLambda(create, { verificationKeys })
