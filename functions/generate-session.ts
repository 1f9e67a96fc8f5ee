import { sessionLifetimeSeconds } from '@embed-access/core/access/lifetimes.ts'
import { callerOf } from '@embed-access/core/access/principal.ts'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { changesByLine, subjectOf } from '@embed-access/core/sessions/audit.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import {
  type PreparedSession,
  prepareSession,
  type SessionRequest,
} from '@embed-access/core/sessions/prepare.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { unknownTenant } from '@embed-access/core/sessions/unknown-names.ts'
import { warningsOf } from '@embed-access/core/sessions/warnings.ts'
import { publishedDashboards } from '@embed-access/core/workbooks/published.ts'
import * as v from 'valibot'
import { knownCaller } from './http/caller.ts'
import { groupDefinitionsDeprecation } from './http/headers.ts'
import { onlyOnce } from './http/input.ts'
import { operation } from './http/operation.ts'
import { issuance } from './runtime/environment.ts'
import { storage } from './runtime/storage.ts'

const notYetNamed = 'names no embed tenant yet, and a session would create it'

/** What the session would be, and what in the request is probably a mistake. Stores nothing. */
async function dryRun(asked: SessionRequest) {
  const { storage, principal, request, limits } = asked
  const { deploymentId, publicDashboardId } = request
  const { claims, tokenBytes, definitions, newTenant } = await prepareSession(asked)
  const isPublished =
    publicDashboardId !== undefined &&
    (await publishedDashboards(storage, deploymentId, publicDashboardId)).found.length > 0
  const unknown = newTenant ? await unknownTenant(storage, principal, newTenant, notYetNamed) : []
  const { attributes } = definitions
  return {
    claims,
    tokenBytes,
    limits: {
      maxTokenBytes: limits.maxTokenBytes,
      sessionSeconds: sessionLifetimeSeconds,
      tokenSeconds: limits.lifetimeSeconds,
    },
    warnings: [...unknown, ...warningsOf(request, { attributes, isPublished })],
  }
}

export const handler = await operation('generate-session', {
  storage,
  caller: knownCaller,
  make: ({ environment, now }) => ({ issuance: issuance(environment), recent: recentLookups(now) }),
  partsForWarmUp: (parts) => ({ ...parts, recent: recentLookups(parts.now) }),
  input: {
    query: v.object({
      dryRun: v.optional(v.pipe(onlyOnce, v.picklist(['true', 'false'], 'must be true or false'))),
    }),
    body: GenerateSession,
  },
  async answer({ storage, recent, issuance, now, audit, principal, query, body }) {
    const isDeprecated = (body.groupDefinitions ?? null) !== null
    const headers = isDeprecated ? groupDefinitionsDeprecation : {}
    const request = { storage, principal, request: body, now: now(), limits: issuance, recent }
    if (query.dryRun === 'true') return { body: JSON.stringify(await dryRun(request)), headers }
    const by = callerOf(principal)
    const auditChanges = ({ claims, definitions }: PreparedSession, unanswered?: true) => {
      const { embedTenantName, deploymentId } = body
      const event = { event: 'definitions.changed', jti: claims.jti, by, unanswered } as const
      for (const changes of changesByLine(definitions.changes))
        audit({ ...event, embedTenantName, deploymentId, changes })
    }
    const unanswered = true
    const session = await generateSession(request, (lost) => auditChanges(lost, unanswered))
    const { sessionId, claims } = session
    audit({ event: 'session.generated', jti: claims.jti, by, for: subjectOf(claims) })
    const { actor } = body
    if (actor)
      audit({ event: 'session.impersonated', jti: claims.jti, by, actor, for: subjectOf(claims) })
    auditChanges(session)
    return { body: JSON.stringify({ sessionId }), headers }
  },
  warmUpRequest: { body: '{"deploymentId":0,"embedTenantName":"warm-up","externalId":"0"}' },
})
