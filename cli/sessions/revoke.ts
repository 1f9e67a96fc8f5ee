import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { revokeMinted, revokeToken } from '@embed-access/core/sessions/revoke.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { authorizerCacheSeconds } from '../../functions/http/authorizer-cache.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { userIdFrom } from '../keys/api-options.ts'

/** A `jti` of this service. */
export const jtiShape = /^[\w-]{22}$/

export type RevokeOptions = {
  readonly account?: string | undefined
  readonly jti?: string | undefined
  readonly key?: string | undefined
  readonly user?: string | undefined
}

/**
 * Revokes embed tokens of an account, by what the audit names.
 * @returns what was done, as a sentence
 */
export async function revoke(storage: Storage, options: RevokeOptions, now: number): Promise<string> {
  const { account, jti, key, user } = options
  if (!account || [jti, key, user].filter((each) => each !== undefined).length !== 1) {
    throw new Error('Give --account, and one of --jti, --key and --user. See npm run sessions -- --help.')
  }
  // Tokens may have been issued with a longer lifetime than the one set now.
  const { lifetimeSeconds } = defaultLimits
  if (jti !== undefined) {
    requireShape('--jti', jti, jtiShape, 'the 22 characters that the audit shows')
    await revokeToken(storage, { accountId: account, deploymentIds: 'all' }, jti, now, lifetimeSeconds)
    return `The token ${jti} is refused from now on.`
  }
  const minter = key === undefined ? { userId: userIdFrom(user as string) } : { key: shownHash(key) }
  await revokeMinted(storage, account, minter, authorizerCacheSeconds, now, lifetimeSeconds)
  const who = 'key' in minter ? `the API key ${minter.key}` : `user ${minter.userId}`
  return `Tokens of all sessions that ${who} has generated, or generates in the next ${authorizerCacheSeconds} seconds, are refused.`
}

function shownHash(hash: string): string {
  requireShape('--key', hash, /^[0-9a-f]{12,64}$/, `at least ${shownHashLength} characters of the key's hash`)
  return hash.slice(0, shownHashLength)
}

function requireShape(option: string, value: string, shape: RegExp, right: string): void {
  if (!shape.test(value)) throw new Error(`${option} must be ${right}.`)
}
