import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { currentDocument } from '@embed-access/core/signing/revocations-document.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/signing/token-signer.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'
import { defaultLimits } from '../../functions/runtime/environment.ts'
import { sendingNothing } from '../../functions/runtime/storage.ts'

const keys = await firstSigningKeys(0)
const verificationKeys = async () => publicKeys(keys.keys)
const handlers = await Promise.all(
  Object.keys(lambdas).map(
    async (name) => [name, (await import(`../../functions/${name}.ts`)).handler] as const,
  ),
)

const isForBearers = (name: string) =>
  name.endsWith('-embed-session') || name === 'list-embed-workbooks'

test.each(handlers)(
  '%s answers its warm-up requests with success, without a database',
  async (name, deployed) => {
    const logged: Record<string, unknown>[] = []
    const handler = deployed.create({
      // Nothing listens there.
      storage: sendingNothing(connect(tablesWithPrefix('none'), 'http://127.0.0.1:9')),
      now: () => 0,
      log: (entry: Record<string, unknown>) => logged.push(entry),
      issuer: 'https://embed.test',
      issuance: { issuer: 'https://embed.test', audience: 'https://embed.test', ...defaultLimits },
      signer: () => tokenSigner(keys),
      document: currentDocument({ issuer: 'https://embed.test', now: () => 0 }),
      verificationKeys,
      recent: recentLookups(() => 0),
      deadLetters: () => Promise.reject(new Error('a dead letter')),
    })
    const context = { awsRequestId: '', getRemainingTimeInMillis: () => 60_000 }
    const event: object = await deployed.warmUpRequest({ verificationKeys })
    const answer = await handler(event, context)
    const advice =
      'All that it reads is the item of functions/runtime/item-of-every-kind.ts, which must ' +
      'have what it needs.'
    expect(answer, advice).toMatchObject(successOf(name))
    expect(logged.filter(({ level }) => level !== 'info')).toEqual([])
    // Only a token whose header, keys and signature were read gets so far.
    const refused = logged
      .filter(({ event }) => event === 'authorization.refused')
      .map(({ reason }) => reason)
    expect(refused).toEqual(isForBearers(name) ? ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED'] : [])
  },
)

function successOf(name: string): object {
  if (name === 'authorizer') return { isAuthorized: true, context: { allowed: true } }
  if (name === 'catalog-sync') return { batchItemFailures: [] }
  // The exchange alone can sign a token, so that of the warm-up is forged.
  if (isForBearers(name)) return { statusCode: 401 }
  return { statusCode: name === 'revoke-session' ? 204 : 200 }
}
