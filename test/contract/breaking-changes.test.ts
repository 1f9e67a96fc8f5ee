import { describe, expect, test } from 'vitest'
import { breakingChanges } from '../../openapi/breaking-changes.ts'
import { changesSinceRelease } from '../../openapi/released.ts'

test('The document breaks no client of the last released one, but by the listed changes for security', async () => {
  expect(await changesSinceRelease()).toEqual([])
})

type Json = { [key: string]: unknown }

/** A small API: a list and a body, with these schemas. */
function api({ query = {}, item = {}, body = {}, operation = {}, components = {} }: Record<string, Json> = {}): Json {
  return {
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [
            { name: 'size', in: 'query', schema: { type: 'integer', minimum: 1, ...query } },
            { name: 'status', in: 'query', schema: { type: 'string', enum: ['on', 'off'] } },
          ],
          responses: {
            200: { headers: { Etag: {} }, content: { 'application/json': { schema: itemSchema(item) } } },
            404: errorResponse(['gone']),
          },
          ...operation,
        },
        post: {
          operationId: 'addThing',
          requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } },
          responses: { 204: {} },
        },
      },
    },
    components: { schemas: { Size: { type: 'integer' }, ...components } },
  }
}

const itemSchema = (more: Json) => ({
  type: 'object',
  required: ['id'],
  ...more,
  properties: {
    id: { type: 'integer' },
    name: { type: ['string', 'null'] },
    size: { $ref: '#/components/schemas/Size' },
    owner: { anyOf: [{ type: 'object', properties: { mail: { type: 'string' } } }, { type: 'null' }] },
    kind: { type: 'string', enum: ['a', 'b'] },
    parts: { type: 'array', items: { type: 'object', properties: { part: { type: 'string' } } } },
    ...(more.properties as object),
  },
})

const bodySchema = (more: Json) => ({
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  ...more,
  properties: {
    name: { type: 'string', maxLength: 100 },
    kind: { type: 'string', enum: ['a', 'b'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
    value: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    free: { type: 'object', additionalProperties: true },
    ...(more.properties as object),
  },
})

const errorResponse = (codes: string[]) => ({
  content: {
    'application/problem+json': { schema: { allOf: [{ type: 'object' }, { properties: { code: { enum: codes } } }] } },
  },
})

const without = (document: Json, ...path: string[]): Json => {
  const copy = structuredClone(document)
  const last = path.pop() as string
  delete path.reduce((value, key) => value[key] as Json, copy)[last]
  return copy
}
const inBody = (properties: Json) => api({ body: { properties } })
const inItem = (properties: Json) => api({ item: { properties } })

const bodyPath = ['paths', '/things', 'post', 'requestBody', 'content', 'application/json', 'schema']
const itemPath = ['paths', '/things', 'get', 'responses', '200', 'content', 'application/json', 'schema']

describe('the comparison of two documents', () => {
  test('finds nothing between a document and itself', () => {
    expect(breakingChanges(api(), api())).toEqual([])
  })

  test.each<[string, Json]>([
    ['a new operation', { ...api(), paths: { ...(api().paths as object), '/more': { get: { responses: {} } } } }],
    [
      'a new optional parameter',
      api({ operation: { parameters: [...parametersOf(api()), { name: 'more', in: 'query', schema: {} }] } }),
    ],
    ['a new optional field of a request', inBody({ more: { type: 'string' } })],
    ['a field of a request that may be left out', api({ body: { required: [] } })],
    ['a wider limit', inBody({ name: { type: 'string', maxLength: 200 } })],
    ['a limit taken away', inBody({ name: { type: 'string' } })],
    ['a new value in a request', inBody({ kind: { type: 'string', enum: ['a', 'b', 'c'] } })],
    ['a further type in a request', inBody({ name: { type: ['string', 'null'], maxLength: 100 } })],
    ['a further alternative in a request', inBody({ value: { type: ['string', 'number', 'boolean'] } })],
    ['a new field of a response', inItem({ more: { type: 'string' } })],
    ['a field of a response that is always there', api({ item: { required: ['id', 'name'] } })],
    ['a new value in a response', inItem({ kind: { type: 'string', enum: ['a', 'b', 'c'] } })],
    ['a narrower type in a response', inItem({ name: { type: 'string' } })],
    ['one alternative fewer in a response', inItem({ owner: { type: 'null' } })],
    ['a schema written out in place of its reference', inItem({ size: { type: 'integer' } })],
    [
      'a new error code',
      api({ operation: { responses: { ...responsesOf(api()), 404: errorResponse(['gone', 'lost']) } } }),
    ],
    ['no need of a credential', api({ operation: { security: [] } })],
  ])('lets %s pass', (_, after) => {
    expect(breakingChanges(api(), after)).toEqual([])
  })

  test.each<[string, Json, string]>([
    [
      'an operation that is gone',
      without(api(), 'paths', '/things', 'post'),
      'POST /things: the operation was removed',
    ],
    ['an operation of another name', api({ operation: { operationId: 'getThings' } }), 'operationId was listThings'],
    [
      'a parameter that is gone',
      api({ operation: { parameters: parametersOf(api()).slice(1) } }),
      'query size: the parameter was removed',
    ],
    ['a higher minimum', api({ query: { minimum: 2 } }), 'query size: minimum was 1 and is 2'],
    ['a new maximum', api({ query: { maximum: 9 } }), 'query size: maximum was not there and is 9'],
    ['a parameter of another type', api({ query: { type: 'string' } }), 'the type was integer and is string'],
    [
      'a value of a parameter that is gone',
      api({
        operation: {
          parameters: [
            parametersOf(api())[0],
            { name: 'status', in: 'query', schema: { type: 'string', enum: ['on'] } },
          ],
        },
      }),
      'the value "off" is no longer accepted',
    ],
    [
      'a parameter that has become required',
      api({ operation: { parameters: parametersOf(api()).map((each) => ({ ...each, required: true })) } }),
      'query size: the parameter is now required',
    ],
    [
      'a new required parameter',
      api({
        operation: { parameters: [...parametersOf(api()), { name: 'more', in: 'query', required: true, schema: {} }] },
      }),
      'query more: the parameter is now required',
    ],
    [
      'a new required field',
      api({ body: { required: ['name', 'more'], properties: { more: {} } } }),
      '/more: the field is now required',
    ],
    [
      'a field that has become required',
      api({ body: { required: ['name', 'kind'] } }),
      '/kind: the field is now required',
    ],
    [
      'a field of a request that is gone',
      without(api(), ...bodyPath, 'properties', 'tags'),
      '/tags: the field was removed',
    ],
    ['a shorter maximum length', inBody({ name: { type: 'string', maxLength: 50 } }), 'maxLength was 100 and is 50'],
    [
      'a new pattern',
      inBody({ name: { type: 'string', maxLength: 100, pattern: '^a' } }),
      'pattern was not there and is "^a"',
    ],
    [
      'fewer values in a request',
      inBody({ kind: { type: 'string', enum: ['a'] } }),
      'the value "b" is no longer accepted',
    ],
    [
      'values where there was anything',
      inBody({ name: { type: 'string', maxLength: 100, enum: ['a'] } }),
      'only some values',
    ],
    [
      'fewer entries of a list',
      inBody({ tags: { type: 'array', items: { type: 'string' }, maxItems: 5 } }),
      'maxItems was 10',
    ],
    [
      'other entries of a list',
      inBody({ tags: { type: 'array', items: { type: 'integer' }, maxItems: 10 } }),
      '/tags[]: the type',
    ],
    ['an alternative that is gone', inBody({ value: { type: 'string' } }), '/value: 1 of its alternatives'],
    [
      'an object that is closed',
      inBody({ free: { type: 'object', additionalProperties: false } }),
      '/free: other fields',
    ],
    [
      'a field of a response that is gone',
      without(api(), ...itemPath, 'properties', 'name'),
      '/name: the field was removed',
    ],
    ['a field of a response that may be missing', api({ item: { required: [] } }), '/id: the field may now be missing'],
    [
      'a field of a response that may be null',
      inItem({ id: { type: ['integer', 'null'] } }),
      'the type was integer and is integer or null',
    ],
    [
      'a field of a response of another type',
      inItem({ size: { type: 'string' } }),
      '/size: the type was integer and is string',
    ],
    [
      'another type behind a reference',
      api({ components: { Size: { type: 'number' } } }),
      '/size: the type was integer and is number',
    ],
    [
      'a field gone deep in a list',
      inItem({ parts: { type: 'array', items: { type: 'object', properties: {} } } }),
      '/parts[]/part: the field was removed',
    ],
    [
      'a new alternative in a response',
      inItem({ owner: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      '/owner: 1 of its alternatives',
    ],
    [
      'a success of another status',
      api({ operation: { responses: { 201: {} } } }),
      'GET /things 200: the response was removed',
    ],
    [
      'a content type that is gone',
      api({ operation: { responses: { 200: { headers: { Etag: {} } } } } }),
      'application/json was removed',
    ],
    [
      'a header that is gone',
      without(api(), 'paths', '/things', 'get', 'responses', '200', 'headers', 'Etag'),
      'the header Etag was removed',
    ],
    [
      'a code that comes with another status',
      api({
        operation: { responses: { ...responsesOf(api()), 404: errorResponse([]), 410: errorResponse(['gone']) } },
      }),
      'gone was 404 and is 410',
    ],
    [
      'a credential that no longer does',
      api({ operation: { security: [{ bearer: [] }] } }),
      'apiKey no longer gives access',
    ],
  ])('finds %s', (_, after, change) => {
    expect(breakingChanges(api(), after)).toEqual(expect.arrayContaining([expect.stringContaining(change)]))
  })

  test('finds a credential that has come to be needed', () => {
    const open = api({ operation: { security: [] } })
    expect(breakingChanges(open, api())).toEqual(['GET /things: a credential is now needed'])
  })

  test('finds a body that has come to be needed', () => {
    const before = without(api(), 'paths', '/things', 'post', 'requestBody')
    expect(breakingChanges(before, api())).toEqual(['POST /things: a body is now required'])
  })

  test('comes to an end where a schema contains itself', () => {
    const tree = (type: string) =>
      api({
        components: {
          Size: { type: 'object', properties: { leaf: { type }, more: { $ref: '#/components/schemas/Size' } } },
        },
      })
    expect(breakingChanges(tree('string'), tree('string'))).toEqual([])
    expect(breakingChanges(tree('string'), tree('number'))).toHaveLength(1)
  })
})

type Listing = { paths: { '/things': { get: { parameters: Json[]; responses: Json } } } }

function parametersOf(document: Json): Json[] {
  return (document as Listing).paths['/things'].get.parameters
}

function responsesOf(document: Json): Json {
  return (document as Listing).paths['/things'].get.responses
}
