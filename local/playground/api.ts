import type { components } from '../../client/contract.ts'

export type Schemas = components['schemas']
export type JsonObject = { [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type ApiRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As it is sent, to the letter. */
  readonly body?: string
}

/** A mistake in a field of the body, which has a pointer, or in a parameter. */
export type InputError = { readonly pointer?: string; readonly parameter?: string; readonly message: string }

export type Answer = {
  /** 0 where nothing answered. */
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly milliseconds: number
  /** An empty text where there is none. */
  readonly body: unknown
  /** What a refusal says, and what is wrong where. Those of API Gateway have no more than a message. */
  readonly message?: string
  readonly errors: readonly InputError[]
}

export function get(path: string, authorization: string): ApiRequest {
  return { method: 'GET', path, headers: { Authorization: authorization } }
}

export function post(path: string, json: object, authorization?: string): ApiRequest {
  const headers = { ...(authorization && { Authorization: authorization }), 'Content-Type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(json, null, 2) }
}

export async function send({ path, ...request }: ApiRequest): Promise<Answer> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(path, request)
    const { status, statusText, headers } = response
    const body = headers.get('content-type')?.includes('json') ? await response.json() : await response.text()
    const { message, errors = [] } = body as Partial<Answer>
    return {
      status,
      statusText,
      headers: [...headers],
      milliseconds: since(),
      body,
      ...(message && { message }),
      errors,
    }
  } catch {
    const message = 'Nothing answered. Is npm start still running?'
    return { status: 0, statusText: 'No answer', headers: [], milliseconds: since(), body: '', message, errors: [] }
  }
}

/** An account with whom its calls may come from. */
export type Account = { id: string; name: string; users: readonly User[]; keys: readonly DemoKey[] }

export type User = { id: number; email: string; firstName?: string; isAdmin: boolean; deploymentIds: 'all' | number[] }

/** `name` is what the key was called when it was made; `about` says whom it belongs to and how far it reaches. */
export type DemoKey = { key: string; name: string; email: string; about: string }

export type AccountThings = { deployments: readonly { id: number; name: string }[]; groups: readonly string[] }

/** What the fields suggest: embed tenants of the account, all else of the deployment. */
export type Things = {
  readonly embedTenants: readonly { name: string; displayName?: string; groups: readonly string[] }[]
  /** Those that receive notifications. The catalog knows no others. */
  readonly endUsers: readonly { embedTenantName: string; externalId: string }[]
  readonly workbooks: readonly { name: string; id: number }[]
  readonly dashboards: readonly { id: number; publicId: string; title: string }[]
  /** Where the next part begins, if there is one. */
  readonly next?: string
}

export async function ask<T>(name: string, query: Record<string, string> = {}, options: RequestInit = {}): Promise<T> {
  const response = await fetch(`/playground/${name}.json?${new URLSearchParams(query)}`, options)
  const body = (await response.json()) as T & { readonly message: string }
  if (!response.ok) throw new Error(body.message)
  return body
}
