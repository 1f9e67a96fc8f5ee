import { callerOf } from '@embed-access/core/access/principal.ts'
import { embedTenantName, externalId } from '@embed-access/core/embed-tenants/names.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { combination, exactly, optional, text } from '@embed-access/core/schema.ts'
import { endUsersInLog } from '@embed-access/core/sessions/audit.ts'
import {
  revocationScope,
  revokeEndUsers,
  revokeSession,
} from '@embed-access/core/sessions/revoke.ts'
import { tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import * as v from 'valibot'
import { knownCaller } from './http/caller.ts'
import { operation } from './http/operation.ts'
import { auditRevocation } from './runtime/audit.ts'
import { storage } from './runtime/storage.ts'

const Fields = exactly({
  sessionId: optional(text),
  embedTenantName: optional(embedTenantName),
  // Null is refused, because it could be taken for the whole tenant.
  externalId: v.optional(externalId),
})

function* wrongCombinations(body: v.InferOutput<typeof Fields>): Generator<[string, string]> {
  const hasSession = body.sessionId !== undefined
  const hasTenant = body.embedTenantName !== undefined
  if (!hasSession && !hasTenant) yield ['sessionId', 'is required, or embedTenantName in its place']
  if (hasSession && hasTenant) yield ['sessionId', 'must not come together with embedTenantName']
  if (body.externalId !== undefined && !hasTenant) yield ['externalId', 'needs embedTenantName']
}

export const handler = await operation('revoke-session', {
  storage,
  caller: knownCaller,
  make: () => ({}),
  input: { body: v.pipe(Fields, combination(wrongCombinations)) },
  async answer({
    storage,
    now,
    audit,
    principal,
    body: { sessionId, embedTenantName, externalId },
  }) {
    const by = callerOf(principal)
    if (embedTenantName === undefined) {
      const id = sessionId as string
      const event = { event: 'session.revoked', jti: tokenIdOf(id), by } as const
      const revoking = revokeSession(storage, revocationScope(principal), id, now())
      await auditRevocation(audit, event, revoking)
    } else {
      if (!principal.admin)
        throw new Refusal('admin_required', 'Only an admin may revoke by embedTenantName.')
      const endUsers = { embedTenantName, externalId }
      const event = { event: 'sessions.revoked', of: endUsersInLog(endUsers), by } as const
      await auditRevocation(audit, event, revokeEndUsers(storage, principal, endUsers, now()))
    }
    return {}
  },
  warmUpRequest: { body: '{"sessionId":""}' },
})
