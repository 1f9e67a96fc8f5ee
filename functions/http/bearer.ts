import {
  type EmbedTokenBearer,
  embedTokenAlgorithm,
  embedTokenType,
  embedTokenVerifier,
  Unauthenticated,
} from '@embed-access/core/access/embed-token.ts'
import { requireGoodToken } from '@embed-access/core/access/good-token.ts'
import type { Caller } from '@embed-access/core/access/principal.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { currentPublicKeys } from '@embed-access/core/signing/stored-keys.ts'
import { audit } from '../runtime/audit.ts'
import type { Given } from '../runtime/definition.ts'
import { issuance } from '../runtime/environment.ts'
import { logCaller } from '../runtime/invocation-log.ts'
import { storage } from '../runtime/storage.ts'
import { auditRefusals, type FindCaller } from './caller.ts'

export const makeVerification = ({ environment, storage, now }: Given) => ({
  issuance: issuance(environment),
  verificationKeys: currentPublicKeys({ storage, now }),
})

export type Verification = ReturnType<typeof makeVerification>

/**
 * Lets in embed tokens that are still good, and nothing else. The authorizer does not do this,
 * because API Gateway would keep its answer.
 */
const tokenBearer: FindCaller<Verification, { bearer: EmbedTokenBearer }> = (parts) => {
  const verify = embedTokenVerifier(parts.verificationKeys, { ...parts.issuance, now: parts.now })
  return {
    async before({ event, context }) {
      const [, token = ''] =
        /^(?:bearer|embed-token) +([\w.-]+) *$/i.exec(event.headers.authorization ?? '') ?? []
      try {
        const bearer = await requireGoodToken(context.storage, verify, token)
        context.who = { bearer }
        context.caller = callerOfToken(bearer)
        logCaller(context.logFields, context.caller)
      } catch (error) {
        if (!(error instanceof Unauthenticated)) throw error
        audit(parts, context.origin, { event: 'authorization.refused', reason: error.message })
        throw new Refusal('unauthenticated', 'The request lacks an embed token that is still good.')
      }
    },
    onError: auditRefusals(parts),
  }
}

/**
 * Makes a request with an embed token whose signature is wrong. To find that out, a function must
 * read and use the verification keys.
 */
async function forgedRequest({ verificationKeys }: Verification) {
  const { keys } = await verificationKeys()
  const header = { alg: embedTokenAlgorithm, typ: embedTokenType, kid: keys[0]?.kid }
  const token = [JSON.stringify(header), '{}', '0'.repeat(64)].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  return { headers: { authorization: `Bearer ${token.join('.')}` } }
}

/** What every operation has whose access is `embed`. */
export const forBearers = {
  storage,
  make: makeVerification,
  caller: tokenBearer,
  warmUpRequest: forgedRequest,
}

export function callerOfToken({ accountId, userId, id }: EmbedTokenBearer): Caller {
  return { accountId, userId, credential: { kind: 'embedToken', ...id } }
}
