import { currentDocument } from '@embed-access/core/signing/revocations-document.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { tokenSigner } from '@embed-access/core/signing/token-signer.ts'
import type { Context } from 'aws-lambda'
import { handler } from '../../functions/get-embed-revocations.ts'
import { warmUpEvent } from '../../functions/http/warm-up-request.ts'
import { operations } from '../../functions/operations/operations.ts'
import { issuance } from '../sessions/past-the-gateway.ts'
import { startOfTime } from '../support/time.ts'
import type { Setting } from './delivery.ts'

const { issuer } = issuance
const keys = await firstSigningKeys(startOfTime)
export const keySet = publicKeys(keys.keys)
export const signer = await tokenSigner(keys)

const context = { getRemainingTimeInMillis: () => 60_000 } as Context

type Reply = { readonly status: number; readonly body: string; readonly headers: Headers }

/**
 * Gives the document of revocations: two instances of the function, perhaps behind a cache.
 * @param latest when the next step of an instance has happened at the latest
 */
export function documentsOf(setting: Setting, latest: () => number) {
  const { network, scheduler, random, omission } = setting
  const now = () => scheduler.now
  const made = () => currentDocument({ issuer, now })
  const instances = ['one instance', 'another'].map((name) =>
    handler.create({
      storage: network.storage({ name, dead: false }, latest),
      now,
      issuer,
      log: () => {},
      signer: async () => signer,
      document: omission?.document?.(made(), now) ?? made(),
    }),
  )

  async function ask(sent: Readonly<Record<string, string>>): Promise<Reply> {
    const event = warmUpEvent(operations['get-embed-revocations'], { headers: sent })
    const answer = await random.pick(instances)(event as never, { ...context })
    const { statusCode: status = 0, body = '', headers = {} } = answer
    return { status, body, headers: new Headers(headers as Record<string, string>) }
  }

  let kept: (Reply & { readonly until: number }) | undefined
  async function askCache(etag: string | null): Promise<Reply> {
    if (!kept || now() >= kept.until) {
      const reply = await ask({})
      const [, seconds = 0] = /max-age=(\d+)/.exec(`${reply.headers.get('cache-control')}`) ?? []
      kept = { ...reply, until: now() + Number(seconds) * 1000 }
    }
    return etag !== null && kept.headers.get('etag') === etag ? { ...kept, status: 304 } : kept
  }

  const askInstance = (etag: string | null) => ask(etag === null ? {} : { 'if-none-match': etag })
  return random.chance(0.5) ? askCache : askInstance
}
