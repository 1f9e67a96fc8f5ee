import { Refusal } from '@embed-access/core/refusal.ts'
import { exactly, text } from '@embed-access/core/schema.ts'
import { redemptionEvent } from '@embed-access/core/sessions/audit.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { tokenIdOf } from '@embed-access/core/sessions/stored-session.ts'
import { currentSigner } from '@embed-access/core/signing/stored-keys.ts'
import { isUnanswered } from '@embed-access/core/storage/unavailable.ts'
import { anyCaller } from './http/any-caller.ts'
import { operation } from './http/operation.ts'
import { issuance } from './runtime/environment.ts'
import { storage } from './runtime/storage.ts'

export const handler = await operation('exchange-session', {
  storage,
  caller: anyCaller,
  make: ({ environment, storage, now }) => ({
    signer: currentSigner({ storage, now }),
    issuance: issuance(environment),
  }),
  // This ignores the warm-up's storage and reads the real keys, so the first request has them.
  partsForWarmUp: (parts) => ({ ...parts, signer: () => parts.signer() }),
  input: { body: exactly({ sessionId: text }) },
  async answer({ storage, signer, issuance, now, audit, body: { sessionId } }) {
    const current = await signer(storage)
    const jti = tokenIdOf(sessionId)
    const begun = now()
    const redeeming = redeemSession(storage, sessionId, begun, issuance, current)
    const redemption = await redeeming.catch((error: unknown) => {
      // The session may be gone. Then a second exchange finds no session, as if it guessed the id.
      if (isUnanswered(error)) audit(redemptionEvent(jti, { reason: 'answer_lost' }))
      throw error
    })
    audit(redemptionEvent(jti, redemption))
    if (redemption.token === undefined) {
      throw new Refusal(redemption.reason === 'answer_lost' ? 'answer_lost' : 'invalid_session')
    }
    const { token, claims } = redemption
    // The lifetime began before the calls of the database, which may be slow.
    const expiresIn = claims.exp - claims.iat - Math.trunc((now() - begun) / 1000)
    const signingKeyDays = Math.max(0, Math.floor((now() / 1000 - current.since) / 86_400))
    return {
      logged: { signingKeyDays },
      body: JSON.stringify({ token, expiresIn }),
    }
  },
  warmUpRequest: { body: '{"sessionId":""}' },
})
