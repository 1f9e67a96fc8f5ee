import { authenticate, type Credentials } from '@embed-access/core/access/authenticate.ts'
import { Unauthenticated } from '@embed-access/core/access/embed-token.ts'
import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { listNotifications } from '@embed-access/core/notifications/list.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { prepareSession } from '@embed-access/core/sessions/prepare.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { isDatabaseUnavailable } from '@embed-access/core/storage/unavailable.ts'
import { issuance } from '../sessions/past-the-gateway.ts'
import {
  admin,
  type Change,
  notification,
  publishedDashboard,
  put,
  recipient,
  userOf,
  without,
  workbook,
} from '../support/catalog.ts'
import { startOfTime } from '../support/time.ts'
import { planned } from './bait.ts'
import type { Setting } from './delivery.ts'
import type { Newest } from './newest.ts'
import type { Random } from './random.ts'
import { account } from './subjects.ts'

const addressOf = (name: string) => `${name}@acme.example`

/** A user who has a name and its address, and a workbook that publishes a dashboard under it. */
export const named = {
  user: (id: number, name: string): Change =>
    userOf(account, id, addressOf(name), { username: name }),
  workbook: (id: number, name: string): Change =>
    workbook(1, id, {
      name,
      folderId: null,
      publishedDashboard: publishedDashboard(1, id, { publicId: name }),
    }),
}

/** A notification of a dashboard to a user. All three have the same id. */
export const notified = (id: number): Change[] => [
  notification(1, id, { dashboardId: id }),
  recipient(1, id, { type: 'user', userId: id }),
]

const now = () => startOfTime

async function internalUser(storage: Storage, internalId: string) {
  const request = { deploymentId: 1, internalId }
  const [recent, limits] = [recentLookups(now), issuance]
  const asked = { storage, principal: admin, request, now: now(), limits, recent }
  const { context } = await prepareSession(asked)
  return [context.userId]
}

const noEmbedToken = async () => {
  throw new Error('This is no embed token.')
}

async function caller(storage: Storage, login: string, loginIs: 'email' | 'username') {
  const names = { login, loginIs, isCaseSensitive: false }
  const token = { accountId: account, ...names, jti: undefined, expiresAt: startOfTime }
  const verifyAccessToken: Credentials['verifyAccessToken'] = async () => token
  const credentials = { storage, verifyAccessToken, verifyEmbedToken: noEmbedToken, now }
  const header = Buffer.from('{"alg":"ES256"}').toString('base64url')
  return [(await authenticate(credentials, `Bearer ${header}.e30.s`)).principal?.userId]
}

async function notifications(storage: Storage, filters: object) {
  const list = { accountId: account, deploymentId: 1, first: 5, after: undefined, ...filters }
  return (await listNotifications(storage, list)).items.map((item) => JSON.parse(item).id)
}

type Question = {
  readonly kind: keyof typeof named
  readonly ask: (storage: Storage, name: string) => Promise<unknown[]>
}

const ofUser = (ask: Question['ask']): Question => ({ kind: 'user', ask })

/** The ways to ask whom a name stands for. */
export const questions: Readonly<Record<string, Question>> = {
  'the name of an internal user': ofUser(internalUser),
  'the address of an internal user': ofUser((storage, name) =>
    internalUser(storage, addressOf(name)),
  ),
  'the name in an access token': ofUser((storage, name) => caller(storage, name, 'username')),
  'the address in an access token': ofUser((storage, name) =>
    caller(storage, addressOf(name), 'email'),
  ),
  'the address of a recipient': ofUser((storage, name) =>
    notifications(storage, { recipient: { email: addressOf(name) } }),
  ),
  'the public id of a dashboard': {
    kind: 'workbook',
    ask: (storage, publicId) => notifications(storage, { dashboard: { publicId } }),
  },
}

/** Whom a name stands for. Nobody, if it is refused. */
export const answerTo = ({ ask }: Question, storage: Storage, name: string): Promise<unknown[]> =>
  ask(storage, name).catch((error: unknown) => {
    if (error instanceof Refusal || error instanceof Unauthenticated) return []
    throw error
  })

const names = ['it', 'other']

/** Names that move between two users, and between two dashboards. */
export function logins(random: Random) {
  const ids = [1, 2]
  const moves = Array.from({ length: 60 }, () => {
    const kind = random.pick(['user', 'user', 'workbook'] as const)
    const change = named[kind](random.pick(ids), random.pick(names))
    return random.chance(0.1) ? without(change) : change
  })
  const there = [
    put('account', { id: account, name: 'Acme', embeddingEnabled: true }),
    put('deployment', { accountId: account, id: 1, name: 'Logins' }),
  ]
  return {
    there: there.map((change) => planned(change, 1)),
    plan: [...ids.flatMap(notified), ...moves].map((change, index) => planned(change, index)),
  }
}

/** Asks whom names stand for. Each must have had the name at a moment since the question. */
export async function askWhile(goesOn: () => boolean, setting: Setting): Promise<void> {
  const { network, timeline, random } = setting
  const storage = network.storage({ name: 'reader', dead: false })
  while (goesOn()) {
    const [what, question] = random.pick(Object.entries(questions))
    const name = random.pick(names)
    const began = timeline.tick()
    const ids = await answerTo(question, storage, name).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      return []
    })
    const ended = timeline.tick()
    const whose = question.kind === 'user' ? account : 1
    for (const id of ids) {
      const spans = timeline.spans(`${question.kind} ${whose} ${id}`, began, ended)
      if (spans.some(({ content }) => content && nameIn(content) === name)) continue
      throw new Error(`${name} stands for ${question.kind} ${id} as ${what}, and must not.`)
    }
  }
}

/** In the end a name stands for the one that has it, and for nobody if several have. */
export async function checkLogins(storage: Storage, newest: Newest): Promise<void> {
  for (const [what, question] of Object.entries(questions)) {
    for (const name of names) {
      const ids = await answerTo(question, storage, name)
      const holders = newest.all(question.kind).filter((each) => nameIn(each) === name)
      const expected = holders.length === 1 ? holders.map(({ id }) => id) : []
      if (String(ids) === String(expected)) continue
      throw new Error(`In the end ${name} stands for ${ids}, not ${expected}, as ${what}.`)
    }
  }
}

const nameIn = (content: { readonly username?: unknown; readonly name?: unknown }) =>
  content.username ?? content.name
