import { isRevoked } from '@embed-access/core/access/revocation.ts'
import { exactly, text } from '@embed-access/core/schema.ts'
import { callerOf } from '@embed-access/core/sessions/audit.ts'
import { revokeSession } from '@embed-access/core/sessions/revoke.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { endpoint } from './http/endpoint.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { audit } from './runtime/audit.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageOf } from './runtime/storage.ts'
import { defaultLimits } from './runtime/tokens.ts'

export const operation = operations['revoke-session']

export const input = { body: exactly({ sessionId: text }) }

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage'>

export const create = (base: Needs) =>
  endpoint(base, operation, {
    ...input,
    isRevoked,
    async answer({ storage, principal, body: { sessionId }, origin }) {
      // The token may have been issued with a longer lifetime than the one set now.
      await revokeSession(storage, principal, sessionId, base.now(), defaultLimits.lifetimeSeconds)
      audit(base, origin, base.now(), {
        event: 'session.revoked',
        jti: tokenIdOf(sessionId),
        by: callerOf(principal),
      })
      return {}
    },
  })

export const rehearsal = () => [rehearsed(operation, { body: '{"sessionId":""}' })]

export const handler = await onLambda(create, { storage: storageOf(operation) }, rehearsal)
