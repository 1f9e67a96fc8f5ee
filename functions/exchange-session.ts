import { Refusal } from '@embed-access/core/refusal.ts'
import { exactly, text } from '@embed-access/core/schema.ts'
import { redemptionEvent } from '@embed-access/core/sessions/audit.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { tokenIdOf } from '@embed-access/core/sessions/session-id.ts'
import { endpoint } from './http/endpoint.ts'
import { rehearsed } from './http/rehearsed.ts'
import { operations } from './operations/operations.ts'
import { audit } from './runtime/audit.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { signer } from './runtime/signing-keys.ts'
import { storageOf } from './runtime/storage.ts'
import { issuance } from './runtime/tokens.ts'

export const operation = operations['exchange-session']

export const input = { body: exactly({ sessionId: text }) }

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'issuance' | 'signer'>

export const create = ({ issuance, signer, ...base }: Needs) =>
  endpoint(base, operation, {
    ...input,
    async answer({ storage, body: { sessionId }, origin }) {
      const redemption = await redeemSession(storage, sessionId, base.now(), issuance, await signer())
      audit(base, origin, base.now(), redemptionEvent(tokenIdOf(sessionId), redemption))
      if (redemption.token === undefined) {
        throw new Refusal(redemption.refused === 'answer_lost' ? 'answer_lost' : 'invalid_session')
      }
      return { json: JSON.stringify({ token: redemption.token, expiresIn: issuance.lifetimeSeconds }) }
    },
  })

export const rehearsal = () => [rehearsed(operation, { body: '{"sessionId":""}' })]

export const handler = await onLambda(create, { storage: storageOf(operation), issuance, signer }, rehearsal)
