import { isObject, type Json } from './json.ts'

export type ApiRequest = {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** As it is sent, to the letter. */
  readonly body?: string
}

export type InputError = {
  readonly pointer?: string | undefined
  readonly parameter?: string | undefined
  readonly message: string
}

export type Answer = {
  /** 0 where nothing answered. */
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly milliseconds: number
  readonly body: Json | undefined
  /** Of a refusal: what it says, and what is wrong where. */
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

export async function send({ method, path, headers, body }: ApiRequest): Promise<Answer> {
  const started = performance.now()
  const since = () => Math.round(performance.now() - started)
  try {
    const response = await fetch(path, { method, headers, ...(body !== undefined && { body }) })
    const { status, statusText, ok } = response
    const read = parsed(await response.text())
    const told = { status, statusText, headers: [...response.headers], milliseconds: since(), body: read }
    return { ...told, ...(ok ? { errors: [] } : refusalIn(read)) }
  } catch {
    const message = 'Nothing answered. Is npm start still running?'
    const nothing = { status: 0, statusText: 'No answer', headers: [], body: undefined, errors: [] }
    return { ...nothing, milliseconds: since(), message }
  }
}

function parsed(text: string): Json | undefined {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** API Gateway's own refusals have no more than a message. */
function refusalIn(body: Json | undefined): Pick<Answer, 'message' | 'errors'> {
  if (!isObject(body)) return { errors: [] }
  const { message, errors } = body
  return {
    ...(typeof message === 'string' && { message }),
    errors: Array.isArray(errors) ? (errors as unknown as InputError[]) : [],
  }
}
