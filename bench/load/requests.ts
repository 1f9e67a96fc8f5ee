import { type OperationId, operations } from '../../functions/operations/operations.ts'
import { deployment, tenant } from '../catalog.ts'
import { sessionRequest } from './catalog.ts'

/** A request, and whether an answer to it is right. */
export type Shot = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether it needs a session that waits. */
  readonly takesSession?: true
  /** Made anew for each request. */
  readonly body?: () => string
  isRight(status: number, body: string): boolean
}

export type Shots = Readonly<Record<OperationId, Shot>>

/** What each operation answers to anybody, where that is always the same. */
export type Answers = Readonly<Partial<Record<OperationId, string>>>

/**
 * A request for each operation, with an API key. Exchange and revocation take session ids that generation has made before.
 */
export function shotsOf(apiKey: string, answers: Answers): Shots {
  const sessionIds: string[] = []
  const shot = (id: OperationId, rest: Partial<Shot>): Shot => {
    const { method, path, access } = operations[id]
    return {
      method,
      path: path.replace('{deploymentId}', String(deployment)).replace('{embedTenantName}', tenant),
      headers: {
        ...(access !== 'public' && { authorization: `Bearer ${apiKey}` }),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      isRight: (status, body) => status === 200 && isSame(body, answers[id] ?? ''),
      ...rest,
    }
  }
  const waiting = () => JSON.stringify({ sessionId: sessionIds.pop() })
  return {
    'list-embed-tenant-workbooks': shot('list-embed-tenant-workbooks', {}),
    'list-dbt-syncs': shot('list-dbt-syncs', {}),
    'list-notifications': shot('list-notifications', {}),
    'generate-session': shot('generate-session', {
      body: () => JSON.stringify(sessionRequest),
      isRight: (status, body) => {
        const [, sessionId] = /^\{"sessionId":"([\w-]{43})"\}$/.exec(body) ?? []
        if (sessionId !== undefined) sessionIds.push(sessionId)
        return status === 200 && sessionId !== undefined
      },
    }),
    'exchange-session': shot('exchange-session', {
      takesSession: true,
      body: waiting,
      isRight: (status, body) =>
        status === 200 && /^\{"token":"[\w-]+\.[\w-]+\.[\w-]{86}","expiresIn":86400\}$/.test(body),
    }),
    'revoke-session': shot('revoke-session', {
      takesSession: true,
      body: waiting,
      isRight: (status) => status === 204,
    }),
    'get-key-set': shot('get-key-set', {}),
    'get-spec': shot('get-spec', {}),
    'get-error-reference': shot('get-error-reference', {}),
  }
}

/** Autocannon decodes an answer piece by piece, which damages characters that are not ASCII. */
const isSame = (a: string, b: string): boolean => a === b || ascii(a) === ascii(b)

const ascii = (text: string): string => text.replaceAll(/[^ -~]+/g, '')

/** What ten requests of the mix are: three sessions, two of them redeemed and one revoked, a page of each list, and keys. */
export const mix: readonly OperationId[] = [
  'list-embed-tenant-workbooks',
  'generate-session',
  'exchange-session',
  'list-dbt-syncs',
  'generate-session',
  'exchange-session',
  'list-notifications',
  'generate-session',
  'revoke-session',
  'get-key-set',
]

/** Sends one request by itself. */
export async function send(url: string, { method, path, headers, body }: Shot) {
  const response = await fetch(url + path, { method, headers, ...(body && { body: body() }) })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
}

/** @throws Error unless the answer is right */
export async function sendRight(url: string, shot: Shot) {
  const answer = await send(url, shot)
  if (!shot.isRight(answer.status, answer.body)) {
    throw new Error(`${shot.method} ${shot.path} answered ${answer.status}: ${answer.body.slice(0, 1000)}`)
  }
  return answer
}
