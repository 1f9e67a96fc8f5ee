import { recentLookups } from '@embed-access/core/access/deployment.ts'
import { callerOf, subjectOf } from '@embed-access/core/sessions/audit.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { prepareSession } from '@embed-access/core/sessions/prepare.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { sessionLifetimeSeconds as sessionSeconds } from '@embed-access/core/sessions/session-id.ts'
import * as v from 'valibot'
import { endpoint } from './http/endpoint.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { audit } from './runtime/audit.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageOf } from './runtime/storage.ts'
import { issuance } from './runtime/tokens.ts'

/** `groupDefinitions` has been deprecated since 2026-01-01. RFC 9745 wants the time in seconds. */
export const groupDefinitionsDeprecation = { deprecation: `@${Date.UTC(2026, 0, 1) / 1000}` }

export const operation = operations['generate-session']

export const input = {
  query: v.object({ dryRun: v.optional(v.picklist(['true', 'false'], 'must be true or false')) }),
  body: GenerateSession,
}

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'issuance'>

export const create = ({ issuance, ...base }: Needs) => {
  const recent = recentLookups(base.now)
  return endpoint(base, operation, {
    ...input,
    async answer({ storage, principal, query, body, origin }) {
      const headers = (body.groupDefinitions ?? null) !== null && { headers: groupDefinitionsDeprecation }
      if (query.dryRun === 'true') {
        const { claims, tokenBytes } = await prepareSession(storage, principal, body, base.now(), issuance, recent)
        const { maxTokenBytes, lifetimeSeconds: tokenSeconds } = issuance
        const limits = { maxTokenBytes, sessionSeconds, tokenSeconds }
        return { json: JSON.stringify({ claims, tokenBytes, limits }), ...headers }
      }
      const { sessionId, claims, definitions } = await generateSession(
        storage,
        principal,
        body,
        base.now(),
        issuance,
        recent,
      )
      audit(base, origin, base.now(), {
        event: 'session.generated',
        jti: claims.jti,
        by: callerOf(principal),
        for: subjectOf(claims),
      })
      if (definitions.changes.length > 0) {
        const { embedTenantName, deploymentId } = body
        audit(base, origin, base.now(), {
          event: 'definitions.changed',
          jti: claims.jti,
          by: callerOf(principal),
          embedTenantName,
          deploymentId,
          changes: definitions.changes,
        })
      }
      return { json: JSON.stringify({ sessionId }), ...headers }
    },
  })
}

export const rehearsal = () => [
  rehearsed(operation, { body: '{"deploymentId":0,"embedTenantName":"rehearsal","externalId":"0"}' }),
]

export const handler = await onLambda(create, { storage: storageOf(operation), issuance }, rehearsal)
