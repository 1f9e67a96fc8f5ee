import { keySetMaxAgeSeconds } from '@embed-access/core/sessions/signing-keys.ts'
import { cacheableFor } from './http/cache-control.ts'
import { endpoint } from './http/endpoint.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { verificationKeys } from './runtime/signing-keys.ts'
import { storageOf } from './runtime/storage.ts'

export const operation = operations['get-key-set']

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'verificationKeys'>

export const create = ({ verificationKeys, ...base }: Needs) => {
  const headers = { 'cache-control': cacheableFor(keySetMaxAgeSeconds) }
  return endpoint(base, operation, {
    answer: async () => ({ json: JSON.stringify(await verificationKeys()), headers }),
  })
}

export const rehearsal = () => [rehearsed(operation)]

export const handler = await onLambda(create, { storage: storageOf(operation), verificationKeys }, rehearsal)
