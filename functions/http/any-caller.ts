import { Refusal } from '@embed-access/core/refusal.ts'
import type { FindCaller } from './caller.ts'

/* A file of its own: `caller.ts` imports the SDK, which not every public operation needs. */

/** Lets in every caller of a public operation. All other operations are closed. */
export const anyCaller: FindCaller<unknown, object> = (_parts, { access }) => ({
  before({ context }) {
    if (access !== 'public') throw new Refusal('unauthenticated')
    context.who = {}
  },
})
