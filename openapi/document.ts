import type * as v from 'valibot'
import { type ErrorCode, errorCodes } from '../functions/http/error-codes.ts'
import { groupDefinitionsDeprecation, securityHeaders } from '../functions/http/headers.ts'
import { maxErrors } from '../functions/http/input.ts'
import { type Route, routes } from '../functions/operations/operations.ts'
import { requestSchemas, responseSchemas } from './components.ts'
import { errorResponses, headerReferences, headersOfEveryAnswer } from './error-responses.ts'
import { deprecated, fieldDescriptions } from './field-descriptions.ts'
import { introduction } from './introduction.ts'
import { type JsonObject, jsonSchemaOf, namedJsonSchemas } from './json-schema.ts'
import { type Described, type OperationSchemas, type Operations, schemasOf } from './operation.ts'
import { embedSessions } from './operations/embed-sessions.ts'
import { dbtSyncs, notifications, workbooks } from './operations/lists.ts'
import { service } from './operations/service.ts'
import { problemExample, requestIdExample } from './problem-examples.ts'

/** The version of the contract, not of the code; docs/versioning.md says what changes it. */
export const contractVersion = '1.1.0'

const allCodes = Object.keys(errorCodes) as ErrorCode[]

const tag = (name: string, description: string, operations: Operations) => {
  return { name, description, operations }
}

const tags = [
  tag(
    'Embed sessions',
    'From the host’s backend to a token in the end user’s browser.',
    embedSessions,
  ),
  tag('Workbooks', 'What embed tenants can see.', workbooks),
  tag('Dbt syncs', 'The history of a deployment’s dbt syncs.', dbtSyncs),
  tag('Notifications', 'What deployments send on a schedule.', notifications),
  tag('Service', 'Keys and documentation.', service),
]

export async function openApiDocument(): Promise<JsonObject> {
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    const operation = operationObject(route, await schemasOf(route))
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  }
  return withFormats({
    openapi: '3.1.1',
    info: { title: 'Embed access API', version: contractVersion, description: introduction },
    servers: [{ url: '/', description: 'The service that this document was read from' }],
    security: credentials,
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      headers,
      examples: Object.fromEntries(allCodes.map((code) => [code, problemExample(code)])),
      schemas: {
        ...explained(namedJsonSchemas(requestSchemas, 'request')),
        ...explained(namedJsonSchemas(responseSchemas, 'response')),
        ...errorSchemas,
      },
    },
  })
}

const formats = new Map([
  ['integer', 'int64'],
  ['number', 'double'],
])

/** Without a format, generators of clients make numbers of 32 bits. */
const withFormats = (document: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(document), (_, value) => {
    const format = value && !value.enum && formats.get([value.type].flat()[0])
    return format ? { ...value, format } : value
  })

/** The document's name of an operation: `list-dbt-syncs` → `listDbtSyncs`. */
export const operationIdOf = ({ id }: Pick<Route, 'id'>): string =>
  id.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

function operationObject(route: Route, schemas: OperationSchemas): JsonObject {
  const own = tags.find(({ operations }) => route.id in operations)
  const described = own?.operations[route.id]
  if (!described) throw new Error(`openapi/operations must describe ${route.id}.`)
  const { request, success } = described
  if (Boolean(schemas.body) !== Boolean(request))
    throw new Error(`openapi/operations must describe the body of ${route.id}, if it takes one.`)
  return {
    operationId: operationIdOf(route),
    tags: [own.name],
    summary: described.summary,
    description: described.description,
    ...(route.access === 'public' && { security: [] }),
    ...(route.access === 'embed' && { security: [{ bearer: [] }, { embedToken: [] }] }),
    ...parametersObject(route, schemas, described.parameters ?? {}),
    ...(schemas.body && request && { requestBody: requestBody(schemas.body, request) }),
    responses: {
      [success.status ?? 200]: successResponse(success),
      ...(success.headers?.includes('ETag') && {
        304: successResponse({
          ...success,
          description: 'The caller already has the newest answer.',
          schema: undefined,
        }),
      }),
      ...errorResponses(route, schemas, described),
    },
  }
}

function parametersObject(
  { id }: Route,
  { path = {}, query = {} }: OperationSchemas,
  described: NonNullable<Described['parameters']>,
): JsonObject {
  const all = Object.entries({ path, query }).flatMap(([place, entries]) =>
    Object.entries(entries).map(([name, input]) => ({ place, name, input })),
  )
  const taken = new Set(all.map(({ name }) => name))
  const wrong = [...taken.symmetricDifference(new Set(Object.keys(described)))].join(', ')
  if (wrong !== '')
    throw new Error(`openapi/operations must describe the parameters of ${id}. Wrong: ${wrong}.`)
  const parameters = all.map(({ place, name, input }) => {
    const schema = jsonSchemaOf(input, 'request')
    const mayBeEmpty = Array.isArray(schema.type) && schema.type.includes('null')
    return {
      name,
      in: place,
      required: input.type !== 'optional',
      ...described[name],
      ...(mayBeEmpty && { allowEmptyValue: true }),
      schema,
    }
  })
  return parameters.length === 0 ? {} : { parameters }
}

function requestBody(
  body: v.GenericSchema,
  { description, examples }: NonNullable<Described['request']>,
): JsonObject {
  const schema = jsonSchemaOf(body, 'request', requestSchemas)
  return { required: true, description, content: { 'application/json': { schema, examples } } }
}

function successResponse(success: Described['success']): JsonObject {
  const { description, contentType = 'application/json', schema, examples } = success
  const { headers: names = [], cacheControl = 'no-store' } = success
  const value =
    typeof cacheControl === 'string' ? { const: cacheControl } : { pattern: cacheControl.source }
  const cacheControlHeader = {
    description: 'How long the answer may be kept.',
    schema: { type: 'string', ...value },
  }
  return {
    description,
    headers: {
      ...headerReferences(headersOfEveryAnswer),
      'Cache-Control': cacheControlHeader,
      ...headerReferences(names),
    },
    ...(schema && {
      content: { [contentType]: { schema, ...(examples && { examples }) } },
    }),
  }
}

function explained(schemas: Record<string, JsonObject>): JsonObject {
  const all = Object.entries(schemas).map(([name, schema]) => {
    const descriptions = fieldDescriptions[name] ?? {}
    const properties = (schema.properties ?? {}) as Record<string, JsonObject>
    const unknown = Object.keys(descriptions).filter((field) => !(field in properties))
    if (unknown.length > 0)
      throw new Error(`openapi/field-descriptions.ts: ${name} has no ${unknown.join(', ')}`)
    const described = Object.entries(properties).map(([field, property]) => {
      const description = descriptions[field] && { description: descriptions[field] }
      const deprecation = deprecated.has(`${name}.${field}`) && { deprecated: true }
      return [field, { ...property, ...description, ...deprecation }]
    })
    const isObject = schema.properties !== undefined
    return [name, { ...schema, ...(isObject && { properties: Object.fromEntries(described) }) }]
  })
  return Object.fromEntries(all)
}

/** Any of these opens an operation. */
const credentials = [{ bearer: [] }, { apiKey: [] }, { embedToken: [] }]

/** OpenAPI has no other type for a scheme of our own. */
const withScheme = (word: string, credential: string) => ({
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    `\`Authorization: ${word} <${credential}>\`, for existing clients. The value includes the ` +
    `word \`${word}\`.`,
})

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`Authorization: Bearer <token>`, where the token is an API key (`sk-…`), an embed token ' +
      'of this service, or an access token of an OIDC issuer that the account has configured. ' +
      'The service reads no other header: a key in `X-API-Key` counts as no credential.',
  },
  apiKey: withScheme('Api-Key', 'key'),
  embedToken: withScheme('Embed-Token', 'jwt'),
}

const always = (value: string, description: string) => ({
  description,
  schema: { type: 'string', const: value },
  example: value,
})

const headers = {
  'X-Request-Id': {
    description: 'The id of the request. It finds the request in our logs.',
    schema: { type: 'string' },
    example: requestIdExample,
  },
  'X-Content-Type-Options': always(
    securityHeaders['x-content-type-options'],
    'A browser must not guess another type of content.',
  ),
  'Strict-Transport-Security': always(
    securityHeaders['strict-transport-security'],
    'For so many seconds, a browser calls this host by https only.',
  ),
  'Cache-Control': always('no-store', 'The answer must not be kept.'),
  'WWW-Authenticate': always('Bearer', 'The scheme to authenticate with.'),
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  ETag: {
    description: 'Names the answer. With it in `If-None-Match`, the next answer may be a 304.',
    schema: { type: 'string', pattern: '^W/"[\\w-]+"$' },
    example: 'W/"kzX5Uq2m4V8f0nGh1bYtL3dRj6sPwEoAi7cNvKxTzM0"',
  },
  Deprecation: {
    description:
      'When something that the request uses became deprecated (RFC 9745). The example is ' +
      'that of `groupDefinitions`.',
    schema: { type: 'string', pattern: '^@\\d+$' },
    example: groupDefinitionsDeprecation.deprecation,
  },
}

const mistakeWith = (field: string, description: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', description }, message: { type: 'string' } },
  required: [field, 'message'],
})

const errorSchemas = {
  Problem: {
    type: 'object',
    description: 'An error of ours (RFC 9457).',
    properties: {
      type: { type: 'string', format: 'uri', description: 'Where the code is documented.' },
      title: {
        type: 'string',
        description: 'The code in words. Every problem with this code has the same title.',
      },
      status: { type: 'integer', description: 'The status of the response.' },
      detail: { type: 'string', description: 'What is wrong with this request.' },
      code: {
        type: 'string',
        enum: allCodes,
        description: 'Stable. Programs distinguish errors by it.',
      },
      message: { type: 'string', description: 'The same text as `detail`.' },
      requestId: { type: 'string', description: 'The id of the request.' },
      errors: {
        type: 'array',
        maxItems: maxErrors,
        items: { $ref: '#/components/schemas/InputError' },
        description: `The mistakes in the input, at most ${maxErrors}, if the input has mistakes.`,
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'message', 'requestId'],
  },
  InputError: {
    description: 'One mistake, in a field of the body or in a parameter.',
    oneOf: [
      mistakeWith('pointer', 'The field, as a JSON pointer (RFC 6901). Empty for the body itself.'),
      mistakeWith('parameter', 'The parameter of the path or query.'),
    ],
  },
  GatewayError: {
    type: 'object',
    description: 'An error that API Gateway writes itself.',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
}
