import type { components } from '../../client/contract.ts'

export type Schemas = components['schemas']

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { [name: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type ApiRequest = {
  readonly method: 'GET' | 'POST'
  /** With the query. */
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
  readonly body?: Json
  /** Of a refusal: what it says, and what is wrong where. API Gateway's own have no more than a message. */
  readonly message?: string
  readonly errors: readonly InputError[]
}

export const get = (path: string, authorization: string): ApiRequest => ({
  method: 'GET',
  path,
  headers: { Authorization: authorization },
})

export const post = (path: string, body: Json, authorization?: string): ApiRequest => ({
  method: 'POST',
  path,
  headers: { ...(authorization !== undefined && { Authorization: authorization }), 'Content-Type': 'application/json' },
  body: JSON.stringify(body, null, 2),
})

export async function send({ path, ...request }: ApiRequest): Promise<Answer> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(path, request)
    const { status, statusText } = response
    const text = await response.text()
    const body = text === '' ? undefined : parsed(text)
    const { message, errors = [] } = (isObject(body) ? body : {}) as Partial<Answer>
    const told = { ...(body !== undefined && { body }), ...(message !== undefined && { message }), errors }
    return { status, statusText, headers: [...response.headers], milliseconds: since(), ...told }
  } catch {
    const message = 'Nothing answered. Is npm start still running?'
    return { status: 0, statusText: 'No answer', headers: [], milliseconds: since(), message, errors: [] }
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
