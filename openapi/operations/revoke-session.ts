import type { Described } from '../described.ts'
import { sessionId } from '../shared-examples.ts'

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Revoke a session and its token',
  description:
    'For admins. The session cannot be redeemed any more, and a token that was issued for it is refused from then on. ' +
    'An unknown id gets the same answer.',
  request: {
    description: 'The session id.',
    examples: { session: { summary: 'A session id', value: { sessionId } } },
  },
  success: { status: 204, description: 'Revoked, or there was nothing to revoke.' },
}
