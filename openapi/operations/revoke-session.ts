import type { Described } from '../described.ts'
import { sessionId } from '../shared-examples.ts'

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Revoke a session and its token',
  description:
    'For admins. A session not yet redeemed cannot be any more; a token already issued for it is refused from then on. ' +
    'The answer is the same for ids that are unknown.',
  request: {
    description: 'The session id.',
    examples: { session: { summary: 'A session id', value: { sessionId } } },
  },
  success: { status: 204, description: 'Revoked, or there was nothing to revoke.' },
}
