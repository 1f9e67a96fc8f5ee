import { type OperationId, operations, routes } from '../../functions/operations/operations.ts'
import type { Operation } from '../../functions/operations/record.ts'
import { apiKey, pathVariables, sessionRequest } from '../caller.ts'

/** A request that is sent over and over, and whether an answer to it is right. */
export type Shot = {
  readonly method: Operation['method']
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Made anew for each request. */
  readonly body?: () => string
  isRight(status: number, body: string): boolean
}

/** The operations that change nothing. What an embed token asks about itself is not among them. */
export const reading = routes
  .filter(({ method, access }) => method === 'GET' && access !== 'embed')
  .map(({ id }) => id)

type Shots = Readonly<Record<OperationId, Shot>>

/**
 * A shot of each operation. Exchange and revocation take session ids that generation has made
 * before; all others are right where they answer as they do now.
 * @param waiting the session ids that generation has made
 */
export async function shotsAt(url: string, waiting: string[]): Promise<Shots> {
  const taking = { body: () => JSON.stringify({ sessionId: waiting.pop() }) }
  const isToken = /^\{"token":"[\w-]+\.[\w-]+\.[\w-]{86}","expiresIn":(?:86400|8639\d)\}$/
  return {
    ...(Object.fromEntries(
      await Promise.all(reading.map(async (id) => [id, await same(url, id)])),
    ) as Shots),
    // It is signed anew every few seconds.
    'get-embed-revocations': {
      ...request('get-embed-revocations'),
      isRight: (status, body) => status === 200 && /^[\w-]+\.[\w-]+\.[\w-]{86}$/.test(body),
    },
    'generate-session': {
      ...request('generate-session'),
      body: () => JSON.stringify(sessionRequest),
      isRight: (status, body) => {
        const [, sessionId] = /^\{"sessionId":"([\w-]{43})"\}$/.exec(body) ?? []
        if (sessionId !== undefined) waiting.push(sessionId)
        return status === 200 && sessionId !== undefined
      },
    },
    'exchange-session': {
      ...request('exchange-session'),
      ...taking,
      isRight: (status, body) => status === 200 && isToken.test(body),
    },
    'revoke-session': {
      ...request('revoke-session'),
      ...taking,
      isRight: (status) => status === 204,
    },
  }
}

function request(id: OperationId) {
  const { method, path, access } = operations[id]
  return {
    method,
    path: path.replaceAll(
      /\{(\w+)\}/g,
      (_, name) => pathVariables[name as keyof typeof pathVariables],
    ),
    headers: {
      ...(access !== 'public' && { authorization: `Bearer ${apiKey}` }),
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    },
  }
}

async function same(url: string, id: OperationId): Promise<Shot> {
  const { method, path, headers } = request(id)
  const response = await fetch(url + path, { method, headers })
  const expected = await response.text()
  if (response.status !== 200)
    throw new Error(`${path} answered ${response.status}: ${expected.slice(0, 500)}`)
  return {
    method,
    path,
    headers,
    isRight: (status, body) => status === 200 && ascii(body) === ascii(expected),
  }
}

/** Autocannon decodes an answer piece by piece, which damages other characters. */
const ascii = (text: string): string => text.replaceAll(/[^ -~]+/g, '')
