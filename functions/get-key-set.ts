import { endpoint } from './http/endpoint.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { verificationKeys } from './runtime/tokens.ts'

/** How long verifiers may keep the key set, in seconds: a new key is published at least that long before it signs. */
const maxAgeSeconds = 300

export const create = ({ verificationKeys, ...base }: Pick<Runtime, 'issuer' | 'log' | 'verificationKeys'>) => {
  const json = JSON.stringify(verificationKeys)
  const headers = { 'cache-control': `public, max-age=${maxAgeSeconds}` }
  return endpoint(base, { access: 'public', answer: () => ({ json, headers }) })
}

export const handler = await onLambda(create, { verificationKeys })
