import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders, Server } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/** A request and its answer, as the client sees them. */
export type Exchange = {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

type Schema = { readonly type?: string | readonly string[] }
type Header = { readonly $ref?: string; readonly schema?: Schema }
type Response = {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, unknown>>
}
type Operation = {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    readonly schema: Schema
  }[]
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, Response>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly headers: Readonly<Record<string, Header>> }
}

const document: Document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'), withNoMoreFields)

/**
 * Documented objects of responses may get more fields in a later version; what is answered today
 * has none but these.
 */
function withNoMoreFields(this: unknown, key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value) || !('type' in value))
    return value
  const isOpenObject = [value.type].flat().includes('object') && !('additionalProperties' in value)
  return isOpenObject && key !== 'properties' ? { ...value, additionalProperties: false } : value
}

const ajv = formats.default(new Ajv2020({ strict: false, validateFormats: true }))
ajv.addSchema(document, 'api')

/** What the schema at this place of the document finds wrong with a value. */
function problemsWith(value: unknown, ...keys: readonly string[]): string[] {
  const pointer = keys
    .map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  const validate = ajv.getSchema(`api#/${pointer}`)
  if (!validate) throw new Error(`The document has nothing at ${pointer}`)
  return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'it' })]
}

const templates = Object.keys(document.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The documented path that a target belongs to, as it was sent or as API Gateway decodes it. */
function documentedPath(target: string): string | undefined {
  const [sent = ''] = target.split('?', 1)
  const matching = (path: string) => templates.find(({ pattern }) => pattern.test(path))?.path
  try {
    return matching(sent) ?? matching(decodeURIComponent(decodeURIComponent(sent)))
  } catch {
    return undefined
  }
}

/** The operation that a request is for, and where the document has it. */
function operationOf({ method, target }: Exchange): {
  readonly operation?: Operation
  readonly at: readonly string[]
} {
  const path = documentedPath(target) ?? ''
  const operation = document.paths[path]?.[method.toLowerCase()]
  return { ...(operation && { operation }), at: ['paths', path, method.toLowerCase()] }
}

/** Everything in a response that the document doesn't mention, or contradicts. */
export function mismatchesOf(exchange: Exchange): string[] {
  const { method, target, status } = exchange
  // CORS is the gateway's own, and OPTIONS no operation.
  if (method === 'OPTIONS' && status === 204) return []
  return answerMismatches(exchange).map(
    (mismatch) => `${method} ${target.slice(0, 200)} → ${status}: ${mismatch}`,
  )
}

function answerMismatches(exchange: Exchange): string[] {
  const { status, headers, body } = exchange
  const { operation, at } = operationOf(exchange)
  if (!operation) {
    // What is no operation is refused by the gateway.
    if (![400, 404, 408, 413, 431].includes(status)) return ['is no documented operation']
    return problemsWith(JSON.parse(body), 'components', 'schemas', 'GatewayError')
  }
  const response = operation.responses[status]
  if (!response) return ['the status is not documented']
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] as string
  if (!response.content) return body === '' ? headerMismatches(exchange, response) : ['has a body']
  if (!response.content[type]) return [`the type ${type} is not documented`]
  const json = type.endsWith('json') ? JSON.parse(body) : body
  const isOurs = status < 400 || type === 'application/problem+json'
  return [
    ...problemsWith(json, ...at, 'responses', String(status), 'content', type, 'schema'),
    ...(isOurs ? headerMismatches(exchange, response) : []),
  ]
}

/** Headers of HTTP itself, of the gateway, of CORS, and of the one page. */
const notOurs = new RegExp(
  '^(content-(type|length|encoding|security-policy)|date|connection|keep-alive|' +
    'transfer-encoding|apigw-requestid|vary|access-control-.*)$',
)

function headerMismatches({ headers }: Exchange, { headers: documented = {} }: Response): string[] {
  const lowerCased = new Map(
    Object.entries(documented).map(([name, header]) => [name.toLowerCase(), header]),
  )
  const undocumented = Object.keys(headers).filter(
    (name) => !notOurs.test(name) && !lowerCased.has(name),
  )
  const wrong = [...lowerCased].flatMap(([name, { $ref, ...header }]) => {
    const { schema = {} } = document.components.headers[$ref?.split('/').at(-1) ?? ''] ?? header
    if (headers[name] === undefined)
      return name === 'deprecation' ? [] : [`the header ${name} is missing`]
    return ajv.validate(schema, String(headers[name]))
      ? []
      : [`the header ${name} is ${headers[name]}`]
  })
  return [...undocumented.map((name) => `the header ${name} is not documented`), ...wrong]
}

/** The places where the document would refuse a request that the service has accepted. */
export function requestMismatchesOf(exchange: Exchange & { readonly sent: unknown }): string[] {
  const { method, target, status, sent } = exchange
  const { operation, at } = operationOf(exchange)
  if (!operation || status >= 300) return []
  const query = new URLSearchParams(target.split('?')[1] ?? '')
  const wrong = (operation.parameters ?? []).flatMap(({ name, in: place, schema }, index) => {
    const given = query.get(name)
    if (place !== 'query' || given === null) return []
    return problemsWith(parameterValue(schema, given), ...at, 'parameters', String(index), 'schema')
  })
  if (operation.requestBody) {
    const body = typeof sent === 'string' ? JSON.parse(sent) : sent
    wrong.push(...problemsWith(body, ...at, 'requestBody', 'content', 'application/json', 'schema'))
  }
  return wrong.map(
    (mismatch) => `${method} ${target} was accepted, but by the document ${mismatch}`,
  )
}

function parameterValue({ type }: Schema, given: string): unknown {
  if (type === 'integer') return Number(given)
  return given === '' && Array.isArray(type) && type.includes('null') ? null : given
}

/** Compares every response of a server with the document, whoever asked. */
export function checkResponses(server: Server, report: (mismatch: string) => void): void {
  server.prependListener('request', (request, response) => {
    const end = response.end.bind(response) as (body?: Buffer) => typeof response
    response.end = ((body?: Buffer) => {
      const { method = '', url: target = '' } = request
      const sent = { method, target, status: response.statusCode, headers: response.getHeaders() }
      const text =
        sent.headers['content-encoding'] === 'gzip' ? gunzipSync(body as Buffer) : (body ?? '')
      for (const mismatch of mismatchesOf({ ...sent, body: String(text) })) report(mismatch)
      return end(body)
    }) as typeof response.end
  })
}
