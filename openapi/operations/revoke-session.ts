import type { Described } from '../operation.ts'
import { sessionId } from '../shared-examples.ts'

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Revoke a session and its token, or all of an embed tenant or user',
  description:
    'With `sessionId`: the session cannot be redeemed any more, and a token that was issued for it is refused from then on. ' +
    'Admins revoke any session of the deployments that their credential opens. Everybody else revokes those that they have ' +
    'generated with the same API key, or with access tokens. With `embedTenantName`, for admins: all tokens of that tenant, or ' +
    'with `externalId` of that user, are refused whose sessions were generated until now, this second included. That takes ' +
    'sessions that wait, too. An unknown id or name gets the same answer. All but `sessionId` is an extension of this service.',
  request: {
    description: 'Either a session id, or whom the sessions are for.',
    examples: {
      session: { summary: 'A session id', value: { sessionId } },
      user: {
        summary: 'A user who may see less from now on',
        value: { embedTenantName: 'alder-oak', externalId: 'user-1' },
      },
      tenant: { summary: 'An embed tenant that has left', value: { embedTenantName: 'alder-oak' } },
    },
  },
  success: { status: 204, description: 'Revoked, or there was nothing to revoke.' },
  refusals: ['admin_required'],
}
