import * as v from 'valibot'
import { embedTenantName, externalId } from '../embed-tenants/names.ts'
import { exactly, optional, text } from '../schema.ts'

/** A session, or whom the sessions are for. */
export const RevokeSession = v.pipe(
  exactly({ sessionId: optional(text), embedTenantName: optional(embedTenantName), externalId: optional(externalId) }),
  v.forward(
    v.check(
      ({ sessionId, embedTenantName }) => sessionId !== undefined || embedTenantName !== undefined,
      'is required, or embedTenantName in its place',
    ),
    ['sessionId'],
  ),
  v.forward(
    v.check(
      ({ sessionId, embedTenantName }) => sessionId === undefined || embedTenantName === undefined,
      'must not come together with embedTenantName',
    ),
    ['sessionId'],
  ),
  v.forward(
    v.check(
      ({ externalId, embedTenantName }) => externalId === undefined || embedTenantName !== undefined,
      'needs embedTenantName',
    ),
    ['externalId'],
  ),
)
