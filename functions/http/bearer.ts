import {
  type EmbedTokenBearer,
  embedTokenAlgorithm,
  embedTokenType,
  embedTokenVerifier,
  Unauthenticated,
} from '@embed-access/core/access/embed-token.ts'
import { requireGoodToken } from '@embed-access/core/access/good-token.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import type { Caller } from '@embed-access/core/sessions/audit.ts'
import { currentPublicKeys } from '@embed-access/core/signing/stored-keys.ts'
import type middy from '@middy/core'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { JSONWebKeySet } from 'jose'
import { audit } from '../runtime/audit.ts'
import { issuance } from '../runtime/environment.ts'
import { type LoggedContext, logCaller } from '../runtime/invocation-log.ts'
import type { Parts } from '../runtime/runtime.ts'
import { storage } from '../runtime/storage.ts'

const uses = { storage, issuance, verificationKeys: currentPublicKeys }

export type BearerContext = LoggedContext & { bearer?: EmbedTokenBearer }

/**
 * Middleware that lets in embed tokens that are still good, and nothing else. It stands in for the
 * authorizer, whose answers API Gateway would keep.
 */
function bearer(
  parts: Parts<typeof uses>,
): middy.MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, BearerContext> {
  const verify = embedTokenVerifier(parts.verificationKeys, { ...parts.issuance, now: parts.now })
  return {
    async before({ event, context }) {
      const [, token = ''] =
        /^(?:bearer|embed-token) +([\w.-]+) *$/i.exec(event.headers.authorization ?? '') ?? []
      try {
        context.bearer = await requireGoodToken(context.storage ?? parts.storage, verify, token)
      } catch (error) {
        if (!(error instanceof Unauthenticated)) throw error
        audit(parts, context.origin, { event: 'authorization.refused', reason: error.message })
        throw new Refusal('unauthenticated', 'The request lacks an embed token that is still good.')
      }
      logCaller(context.logFields, callerOfToken(context.bearer))
    },
  }
}

/**
 * The header of an embed token whose signature is wrong, so that the verification keys are read and
 * used.
 */
export async function forgedToken(
  verificationKeys: () => Promise<JSONWebKeySet>,
): Promise<{ authorization: string }> {
  const { keys } = await verificationKeys()
  const header = { alg: embedTokenAlgorithm, typ: embedTokenType, kid: keys[0]?.kid }
  const token = [JSON.stringify(header), '{}', '0'.repeat(64)].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  return { authorization: `Bearer ${token.join('.')}` }
}

/** What an operation is made with whose access is `embed`. */
export const forBearers = {
  uses,
  bearer,
  warmUpRequest: async ({ verificationKeys }: Pick<Parts<typeof uses>, 'verificationKeys'>) => ({
    headers: await forgedToken(verificationKeys),
  }),
}

export function callerOfToken({ accountId, userId, id }: EmbedTokenBearer): Caller {
  return { accountId, userId, credential: { kind: 'embedToken', ...id } }
}
