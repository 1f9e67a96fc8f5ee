import type { Claims } from '@embed-access/core/sessions/token.ts'
import { TokenRefused, verifierIn } from '../../client/verifier.ts'
import { heldTime } from '../client/held-time.ts'
import { issuance } from '../sessions/past-the-gateway.ts'
import type { Setting } from './delivery.ts'
import { documentsOf, keySet } from './documents.ts'
import type { Endings } from './endings.ts'
import { account } from './subjects.ts'
import { mostLate } from './table.ts'

/** How long instance and caches keep a document, and how long it is on its way, at most, in ms. */
const [keptTime, answerTime] = [12_000, 1000]

/** When every verifier knows of a revocation, in ms (docs/verify-a-token.md#revocations). */
export const promisedTime = 30_000

export type Issued = { readonly token: string; readonly claims: Claims }

/**
 * Verifiers of the client, which follow the revocations. They must refuse in time what has ended,
 * refuse nothing else, and take nothing back.
 */
export function verifiersOf(setting: Setting, endings: Endings) {
  const { network, scheduler, timeline } = setting
  const now = () => scheduler.now
  /** The readings that are under way, by when they end. */
  const underWay = new Set<{ readonly end: number }>()
  const latest = () => Math.min(...[...underWay].map(({ end }) => end))
  const document = documentsOf(setting, latest)

  return (name: string) => {
    const storage = network.storage({ name, dead: false }, latest)
    const refused = new Set<Issued>()
    /** When the last reading began, and the last one that had an answer. */
    const last = { any: 0, good: 0 }

    async function read(etag: string | null): Promise<Response> {
      const reading = { end: now() + answerTime }
      last.any = now()
      underWay.add(reading)
      await storage.pause(0)
      const { status, body, headers } = await document(etag)
      await storage.pause(0)
      underWay.delete(reading)
      if (status < 400) last.good = reading.end - answerTime
      return new Response(status === 304 ? null : body, { status, headers })
    }

    const verify = verifierIn(heldTime(now).time, {
      ...issuance,
      accountId: account,
      revocations: {},
      fetch: async ({ url, headers }) =>
        url.endsWith('/jwks.json') ? Response.json(keySet) : read(headers.get('if-none-match')),
    })

    return async (issued: Issued): Promise<void> => {
      const { token, claims } = issued
      const began = now()
      const error = await verify(token).then(
        () => undefined,
        (error: unknown) => error,
      )
      const isRefused = error instanceof TokenRefused
      if (claims.exp * 1000 <= now() || (error && !isRefused)) return
      if (isRefused) {
        if (!endings.mayBeRevoked(claims))
          throw new Error('A verifier refuses a token that nobody has ended.')
        refused.add(issued)
        return
      }
      const known = last.good - keptTime - mostLate
      const promised = last.good < last.any ? known : began - promisedTime
      const moment = timeline.momentAt(Math.max(known, promised))
      if (endings.mustBeRefused(claims, moment))
        throw new Error('A verifier takes a token that has ended.')
      if (refused.has(issued)) throw new Error('A verifier takes a token that it has refused.')
    }
  }
}
