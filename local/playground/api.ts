import type { components } from '../../client/contract.ts'

export type Schemas = components['schemas']
export type JsonObject = { [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type ApiRequest = ReturnType<typeof call>

/** A POST where there is a body, which is sent to the letter, and else a GET. */
export const call = (path: string, authorization?: string, body?: object) => ({
  method: body ? 'POST' : 'GET',
  path,
  headers: {
    ...(authorization && { Authorization: authorization }),
    ...(body && { 'Content-Type': 'application/json' }),
  } as Record<string, string>,
  ...(body && { body: JSON.stringify(body, null, 2) }),
})

/** A mistake in a field of the body, which has a pointer, or in a parameter. */
export type InputError = {
  readonly pointer?: string
  readonly parameter?: string
  readonly message: string
}

export type Answer = Awaited<ReturnType<typeof send>>

/** The status is 0 where nothing answered. Refusals of API Gateway have no more than a message. */
export async function send({ path, ...request }: ApiRequest) {
  const started = performance.now()
  const read = async (response: Response) => {
    const isJson = response.headers.get('content-type')?.includes('json')
    return { response, body: (await (isJson ? response.json() : response.text())) as unknown }
  }
  const nothing = {
    response: undefined,
    body: { message: 'Nothing answered. Is npm start still running?' },
  }
  const { response, body } = await fetch(path, request)
    .then(read)
    .catch(() => nothing)
  const { ok: isOk = false, status = 0, statusText = 'No answer', headers = [] } = response ?? {}
  const { message, errors = [] } = body as { message?: string; errors?: readonly InputError[] }
  const milliseconds = Math.round(performance.now() - started)
  return {
    isOk,
    status,
    statusText,
    headers: [...headers],
    milliseconds,
    body: response && body,
    message,
    errors,
  }
}

/** An account with whom its calls may come from. */
export type Account = { id: string; name: string; users: readonly User[]; keys: readonly DemoKey[] }

export type User = {
  id: number
  email: string
  firstName?: string
  isAdmin: boolean
  deploymentIds: 'all' | number[]
}

/**
 * `name` is what the key was called when it was made; `about` says whom it belongs to and how far
 * it reaches.
 */
export type DemoKey = { key: string; name: string; email: string; about: string }

export type AccountThings = {
  deployments: readonly { id: number; name: string }[]
  groups: readonly string[]
}

/** What the fields suggest: embed tenants of the account, all else of the deployment. */
export type Things = {
  readonly embedTenants: readonly {
    name: string
    displayName?: string
    groups: readonly string[]
  }[]
  /** Those that receive notifications. The catalog knows no others. */
  readonly endUsers: readonly { embedTenantName: string; externalId: string }[]
  readonly workbooks: readonly { name: string; id: number }[]
  readonly dashboards: readonly { id: number; publicId: string; title: string }[]
  /** Where the next part begins, if there is one. */
  readonly next?: string
}

/** A request that the local server has answered, whoever sent it. */
export type RecentRequest = {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `GET /api/v1/deployments/1001/dbt-sync`, without its query. */
  readonly request: string
  readonly status: number
  readonly milliseconds: number
  readonly who?: string | undefined
  /** Why it was a 401, which the answer does not say. */
  readonly reason?: string | undefined
}

export async function ask<T>(
  name: string,
  query: Record<string, string> = {},
  options: RequestInit = {},
): Promise<T> {
  const response = await fetch(`/playground/${name}.json?${new URLSearchParams(query)}`, options)
  const body = (await response.json()) as T & { readonly message: string }
  if (!response.ok) throw new Error(body.message)
  return body
}
