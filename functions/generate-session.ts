import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { endpoint } from './http/endpoint.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageWith } from './runtime/storage.ts'
import { issuance } from './runtime/tokens.ts'

/** Since when `groupDefinitions` has been deprecated, 2026-01-01, as RFC 9745 writes it. */
const groupDefinitionsDeprecation = { deprecation: `@${Date.UTC(2026, 0, 1) / 1000}` }

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'issuance'>

export const create = ({ now, storage, issuance, ...base }: Needs) =>
  endpoint(base, {
    access: 'read',
    body: GenerateSession,
    async answer({ principal, body }) {
      const session = await generateSession(storage, principal, body, now(), issuance)
      return { json: JSON.stringify(session), ...(body.groupDefinitions && { headers: groupDefinitionsDeprecation }) }
    },
  })

export const handler = await onLambda(create, { storage: storageWith('catalog', 'sessions', 'credentials'), issuance })
