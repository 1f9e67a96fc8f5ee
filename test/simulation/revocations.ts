import { Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { requireGoodToken } from '@embed-access/core/access/good-token.ts'
import { EmbedTokenId, type Principal } from '@embed-access/core/access/principal.ts'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { generateSession } from '@embed-access/core/sessions/generate.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import * as v from 'valibot'
import { issuance } from '../sessions/past-the-gateway.ts'
import { acmeTenant, admin, put, without } from '../support/catalog.ts'
import { planned } from './bait.ts'
import type { Setting } from './delivery.ts'
import { signer } from './documents.ts'
import { Endings } from './endings.ts'
import type { Random } from './random.ts'
import { revoking } from './revoking.ts'
import { account } from './subjects.ts'
import { type Issued, promisedTime, verifiersOf } from './verifiers.ts'

const internalId = 'ada@acme.example'

const owner = put('account', { id: account, name: 'Acme', embeddingEnabled: true })
const deployment = (id: number) => put('deployment', { accountId: account, id, name: `No ${id}` })
const user = put('user', {
  ...{ accountId: account, id: 3, email: internalId },
  ...{ roles: [], deploymentIds: 'all' },
})
const coming = [deployment(2), user, acmeTenant('north')] as const

/** Things that are deleted and come back, some of it late. Tokens end with each of them. */
export function revocations(random: Random) {
  const disorder = random.pick([0, 3, 10])
  const arrivals = Array.from({ length: 30 }, (_, index) => {
    const change = random.chance(0.05) ? owner : random.pick(coming)
    const one = random.chance(0.4) ? without(change) : change
    return { change: planned(one, index + 2), at: index + random.next() * disorder }
  })
  return {
    there: [owner, deployment(1), ...coming].map((change) => planned(change, 1)),
    plan: arrivals.toSorted((a, b) => a.at - b.at).map(({ change }) => change),
  }
}

/** Who generates sessions. */
const minters: readonly Principal[] = [
  admin,
  { ...admin, userId: 2 },
  { ...admin, credential: { kind: 'apiKey', key: 'a'.repeat(12) } },
]

/** How much time passes at once, in milliseconds. */
const moments = [0, 50, 250, 1000, 1000, 4000, 15_000]
const night = 8 * 3_600_000

const rounds = 25

/**
 * Sessions are generated, redeemed and revoked in every way, while what they depend on is deleted
 * and comes back. The service refuses a token once its end is acknowledged, and verifiers refuse it
 * within the promised time.
 */
export async function revokeWhile(_: () => boolean, setting: Setting): Promise<void> {
  const { network, scheduler, timeline, random } = setting
  const now = () => scheduler.now
  const storageOf = (name: string) => network.storage({ name, dead: false })
  const [host, page, admins] = [storageOf('host'), storageOf('page'), storageOf('admin')]
  const limits = { ...issuance, lifetimeSeconds: random.pick([60, 600, 86_400]) }
  const recent = recentLookups(now)
  const endings = new Endings(timeline)
  const issued: Issued[] = []
  let isOver = false

  /** Waits, for however long. */
  const idle = (name: string) =>
    new Promise<void>((run) => scheduler.add({ actor: { name, dead: false }, run }))

  const newSession = () => {
    const embedTenantName = random.pick(['north', 'north', 'south', undefined])
    const externalId = random.pick(['u-1', 'u-2', undefined])
    const whose = random.chance(0.2) ? { internalId } : { embedTenantName, externalId }
    const request = { deploymentId: random.pick([1, 2]), ...whose }
    const principal = random.pick(minters)
    return generateSession(
      { storage: host, principal, request, now: now(), limits, recent },
      () => {},
    )
  }

  async function revoke(of: Parameters<typeof revoking>[1]): Promise<void> {
    const { ends, call } = revoking(random, of)
    const revocation = { ends, from: timeline.tick(), to: undefined as number | undefined }
    endings.revocations.push(revocation)
    const isDone = await answered(call(admins, now()).then(() => true))
    if (isDone) revocation.to = timeline.tick()
  }

  async function work(): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await idle('host')
      const session = await answered(newSession())
      if (!session) continue
      const { sessionId, claims } = session
      const ended = random.pick([claims, claims, (random.pick(issued) ?? session).claims])
      const [redemption] = await Promise.all([
        answered(redeemSession(page, sessionId, now(), limits, signer)),
        random.chance(0.4) && revoke(ended === claims ? session : { claims: ended }),
      ])
      if (redemption?.token !== undefined) issued.push(redemption)
      const one = random.pick(issued)
      if (one) await ask(page, one, setting, endings)
    }
  }

  async function passTime(): Promise<void> {
    while (!isOver) {
      await idle('clock')
      scheduler.letPass(random.chance(0.01) ? night : random.pick(moments))
    }
  }

  const verifier = verifiersOf(setting, endings)
  const verifiers = ['one verifier', 'another'].map((name) => ({ name, check: verifier(name) }))
  async function verify({ name, check }: (typeof verifiers)[number]): Promise<void> {
    while (!isOver) {
      await idle(name)
      const one = random.pick(issued)
      if (one && random.chance(0.3)) await check(one)
    }
  }

  const working = Promise.all([work(), work()]).then(() => {
    isOver = true
  })
  await Promise.all([working, passTime(), ...verifiers.map(verify)])
  for (const end = now() + promisedTime; now() <= end; scheduler.letPass(promisedTime))
    await idle('clock')
  for (const { check } of verifiers) for (const one of issued) await check(one)
}

/** Asks the service about a token. */
export async function ask(
  storage: Storage,
  { claims, token }: Issued,
  { timeline }: Setting,
  endings: Endings,
): Promise<void> {
  const began = timeline.tick()
  const id = v.parse(EmbedTokenId, claims)
  const verified = { accountId: account, userId: claims.userId, id, expiresAt: claims.exp, claims }
  const isRevoked = await answered(
    requireGoodToken(storage, async () => verified, token).then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof Unauthenticated)) throw error
        // What is read late may be missing.
        return error.message === 'revoked token' ? true : undefined
      },
    ),
  )
  if (isRevoked === false && endings.mustBeRevoked(claims, began))
    throw new Error('A token opens something after it was revoked.')
  if (!isRevoked) return
  if (!endings.mayBeRevoked(claims)) throw new Error('A good token counts as revoked.')
  endings.isRefused(claims)
}

/** Undefined if it was refused, or the database did not answer. */
const answered = <Answer>(call: Promise<Answer>): Promise<Answer | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof Refusal || isDatabaseUnavailable(error)) return undefined
    throw error
  })
