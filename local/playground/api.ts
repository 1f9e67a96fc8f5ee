import type { components } from '../../client/contract.ts'

export type Schemas = components['schemas']

export type ApiRequest = ReturnType<typeof call>

export const call = (path: string, authorization?: string, body?: object) => ({
  method: body ? 'POST' : 'GET',
  path,
  headers: {
    ...(authorization && { Authorization: authorization }),
    ...(body && { 'Content-Type': 'application/json' }),
  } as Record<string, string>,
  ...(body && { body: JSON.stringify(body, null, 2) }),
})

export type InputError = {
  pointer?: string
  parameter?: string
  message: string
}

export type Answer = Awaited<ReturnType<typeof send>>

/** The status is 0 where nothing answered. Refusals of API Gateway have no more than a message. */
export async function send({ path, ...options }: ApiRequest) {
  const started = performance.now()
  const request = async () => new Request(path, options)
  const read = async (response: Response) => {
    const isJson = response.headers.get('content-type')?.includes('json')
    const body: unknown = isJson ? await response.json() : await response.text()
    return { response, body, told: body as { message?: string; errors?: readonly InputError[] } }
  }
  const failure = (message: string) => () => ({
    response: Response.error(),
    body: undefined,
    told: { message, errors: [] },
  })
  const notSent = failure('Not sent: the key has a character that no key has.')
  const noAnswer = failure('Nothing answered. Is npm start still running?')
  const { response, body, told } = await request().then(
    (ready) => fetch(ready).then(read).catch(noAnswer),
    notSent,
  )
  return {
    isOk: response.ok,
    status: response.status,
    statusText: response.statusText || 'No answer',
    headers: [...response.headers],
    milliseconds: Math.round(performance.now() - started),
    body,
    message: told.message,
    errors: told.errors ?? [],
  }
}

export type Account = { id: string; name: string; users: readonly User[]; keys: readonly DemoKey[] }

export type User = {
  id: number
  email: string
  firstName?: string
  isAdmin: boolean
  deploymentIds: 'all' | number[]
}

/** `about` says whom it belongs to and how far it reaches. */
export type DemoKey = { key: string; name: string; email: string; about: string }

export type AccountThings = {
  deployments: readonly { id: number; name: string }[]
  groups: readonly string[]
}

export function pageOf<Item>({ body }: Answer) {
  type List = { items?: readonly Item[]; pageInfo?: Schemas['PageInfo'] }
  const { items = [], pageInfo } = (body ?? {}) as List
  return { items, hasNext: pageInfo?.hasNextPage ?? false, next: pageInfo?.endCursor ?? '' }
}

/** What the fields suggest: embed tenants of the account, all else of the deployment. */
export type Things = {
  embedTenants: readonly {
    name: string
    displayName?: string
    groups: readonly string[]
  }[]
  /** Those that receive notifications. The catalog knows no others. */
  endUsers: readonly { embedTenantName: string; externalId: string }[]
  workbooks: readonly { name: string; id: number }[]
  dashboards: readonly { id: number; publicId: string; title: string }[]
  /** Where the next part begins, if there is one. */
  next?: string
}

export type RecentRequest = {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  /** Without its query. */
  request: string
  status: number
  milliseconds: number
  who?: string | undefined
  /** Why it was a 401, which the answer does not say. */
  reason?: string | undefined
}

/** Reads data that only the local server has. */
export async function ask<T>(name: string, query = {}, options = {}): Promise<T> {
  const request = call(`/playground/${name}.json?${new URLSearchParams(query)}`)
  const { isOk, body, message } = await send({ ...request, ...options })
  if (!isOk) throw new Error(message)
  return body as T
}
