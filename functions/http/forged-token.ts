import { embedTokenAlgorithm, embedTokenType } from '@embed-access/core/access/embed-token.ts'
import type { JSONWebKeySet } from 'jose'

/** The header of an embed token whose signature is wrong, so that the verification keys are read and used. */
export async function forgedToken(verificationKeys: () => Promise<JSONWebKeySet>): Promise<{ authorization: string }> {
  const { keys } = await verificationKeys()
  const header = { alg: embedTokenAlgorithm, typ: embedTokenType, kid: keys[0]?.kid }
  const token = [JSON.stringify(header), '{}', '0'.repeat(64)].map((part) => Buffer.from(part).toString('base64url'))
  return { authorization: `Bearer ${token.join('.')}` }
}
