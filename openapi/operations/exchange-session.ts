import { defaultLimits } from '../../functions/runtime/tokens.ts'
import type { Described } from '../operation.ts'
import { sessionId } from '../shared-examples.ts'

const embedToken = {
  token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImVtYmVkK2p3dCJ9.e30.c2lnbmF0dXJl',
  expiresIn: defaultLimits.lifetimeSeconds,
}

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Redeem a session for an embed token',
  description:
    'Called by the browser. The session id is the credential. It works once: if several requests arrive at the same ' +
    'time, exactly one gets the token. An id that is unknown, expired, revoked or already redeemed gives the same 401. ' +
    'If the database loses an answer, the session may be gone and nobody has its token (`answer_lost`). Do not send a ' +
    'session id again after an answer that is not a success: ask the host application for a new session. ' +
    'Pages of configured origins may call it (CORS).',
  request: {
    description: 'The session id.',
    examples: { session: { summary: 'A session id', value: { sessionId } } },
  },
  success: {
    description: 'The embed token, a JWT signed with ES256, and its lifetime.',
    schema: { $ref: '#/components/schemas/EmbedToken' },
    examples: { token: { summary: 'A token for 24 hours', value: embedToken } },
  },
  refusals: ['invalid_session', 'answer_lost'],
}
