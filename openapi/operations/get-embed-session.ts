import type { Described } from '../operation.ts'
import { claims } from '../shared-examples.ts'

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'Ask whether an embed token is still good',
  description:
    'Called with the embed token itself, that of an external user too. Whoever verifies tokens with the key set alone learns ' +
    'here whether one was revoked. The answer is 401 if the token has expired or was revoked, or if its account, deployment ' +
    'or internal user is gone. Any other credential is 401 too. An extension of this service.',
  success: {
    description: 'The token is good.',
    schema: { $ref: '#/components/schemas/CurrentEmbedSession' },
    examples: { session: { summary: 'A token that has an hour left', value: { claims, expiresIn: 3600 } } },
  },
}
