import type { Described } from '../operation.ts'

export const described: Described = {
  tag: 'Embed sessions',
  summary: 'End an embed token',
  description:
    'Called by the browser with the embed token itself, when its user logs out. The token is refused from then on, so a second ' +
    'call is 401. Pages of configured origins may call it (CORS). An extension of this service.',
  success: { status: 204, description: 'The token has ended.' },
}
