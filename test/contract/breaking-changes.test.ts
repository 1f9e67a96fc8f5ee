import { expect, test } from 'vitest'
import { breakingChanges } from '../../openapi/breaking-changes.ts'
import { changesSinceRelease } from '../../openapi/released.ts'

test('The document breaks clients of the last release only by the listed changes', async () => {
  expect(await changesSinceRelease()).toEqual([])
})

/** A document with one operation, which takes a key or a token. */
const api = (operation: object, components = {}) => ({
  security: [{ bearer: [] }, { apiKey: [] }],
  paths: { '/things': { post: { operationId: 'addThing', ...operation } } },
  components: { schemas: components },
})
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const object = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const open = (additionalProperties: object | boolean) => ({ additionalProperties })
const size = { $ref: '#/components/schemas/Size' }
const text = { type: 'string' }
const number = { type: 'number' }
const nothing = { type: 'null' }

/**
 * What a test says of a change: from, to, and what is found, each with what comes after the place
 * of the schema.
 */
type Change = readonly [old: object, now: object, ...found: string[]]

test.each<[string, ...Change]>([
  ['a new optional field', object({}), object({ more: {} })],
  ['a field that may be left out', object({ a: {} }, ['a']), object({ a: {} })],
  ['a wider limit', { maxLength: 100 }, { maxLength: 200 }],
  ['a lower minimum', { exclusiveMinimum: 2, maximum: 9 }, { exclusiveMinimum: 1, maximum: 9 }],
  ['a limit taken away', { maxLength: 100 }, {}],
  ['a new value', { enum: ['a'] }, { enum: ['a', 'b'] }],
  ['a further type', text, { type: ['string', 'null'] }],
  ['a further alternative', { anyOf: [text] }, { type: ['string', 'number'] }],
  [
    'a field that has become required',
    object({ a: {} }),
    object({ a: {} }, ['a']),
    '/a: the field is now required',
  ],
  ['a field that is gone', object({ a: {} }), object({}), '/a: the field was removed'],
  ['a higher minimum', { minimum: 1 }, { minimum: 2 }, ': minimum was 1 and is 2'],
  ['a new maximum', { minimum: 1 }, { minimum: 1, maximum: 9 }, ': maximum was not there and is 9'],
  ['fewer entries of a list', { maxItems: 10 }, { maxItems: 5 }, ': maxItems was 10 and is 5'],
  ['a format', {}, { format: 'int32' }, ': format was not there and is "int32"'],
  ['a new pattern', {}, { pattern: '^a' }, ': pattern was not there and is "^a"'],
  [
    'a rule for names',
    {},
    { propertyNames: text },
    ': propertyNames was not there and is {"type":"string"}',
  ],
  [
    'entries that must differ',
    {},
    { uniqueItems: true },
    ': uniqueItems was not there and is true',
  ],
  [
    'a part that is required',
    {},
    { allOf: [{ required: ['a'] }] },
    '/a: the field is now required',
  ],
  ['a narrower type', number, { type: 'integer' }, ': the type was number and is integer'],
  ['fewer values', { enum: ['a', 'b'] }, { enum: ['a'] }, ': the value "b" is no longer accepted'],
  ['values where there was anything', {}, { enum: ['a'] }, ': only some values are accepted now'],
  ['other entries', { items: text }, { items: nothing }, '[]: the type was string and is null'],
  [
    'an alternative gone',
    { anyOf: [text, number] },
    text,
    ': 1 of its alternatives are no longer accepted',
  ],
  ['an object that is closed', {}, open(false), ': other fields are no longer accepted'],
  ['further fields of one type', {}, open(text), '{}: the type was anything and is string'],
  ['further fields where there were none', open(false), open(text)],
  ['entries of one type', open(true), { items: text }, '[]: the type was anything and is string'],
])('in a request, %s', (_, old, now, ...found) => {
  const changes = breakingChanges(api({ requestBody: json(old) }), api({ requestBody: json(now) }))
  expect(changes).toEqual(found.map((each) => `POST /things body application/json${each}`))
})

test.each<[string, ...Change]>([
  ['a new field', object({}), object({ more: {} })],
  ['a field that is always there', object({ a: {} }), object({ a: {} }, ['a'])],
  ['a new value', { enum: ['a'] }, { enum: ['a', 'b'] }],
  ['a narrower type', { type: ['string', 'null'] }, text],
  ['a constant as an enum of one value', { const: 'a' }, { enum: ['a'] }],
  ['one alternative fewer', { anyOf: [text, nothing] }, nothing],
  [
    'parts that were merged',
    { allOf: [object({ a: size }), object({}, ['a'])] },
    object({ a: size }, ['a']),
  ],
  ['a field that is gone', object({ a: {} }), object({}), '/a: the field was removed'],
  [
    'a field that may be missing',
    object({ a: {} }, ['a']),
    object({ a: {} }),
    '/a: the field may now be missing',
  ],
  [
    'a value that may be null',
    size,
    { type: ['integer', 'null'] },
    ': the type was integer and is integer or null',
  ],
  ['another constant', { const: 'a' }, { const: 'b' }, ': was always "a"'],
  ['a constant as an enum of two', { const: 'a' }, { enum: ['a', 'b'] }, ': was always "a"'],
  ['further fields of one type', open(true), open(text)],
  ['entries of any type', { items: text }, {}, '[]: the type was string and is anything'],
  [
    'a field gone in a signed document',
    { contentSchema: object({ a: {} }) },
    { contentSchema: object({}) },
    ' content/a: the field was removed',
  ],
  [
    'a new alternative',
    nothing,
    { anyOf: [size, nothing] },
    ': 1 of its alternatives are new to clients',
  ],
])('in a response, %s', (_, old, now, ...found) => {
  const components = { Size: { type: 'integer' } }
  const giving = (schema: object) => api({ responses: { 200: json(schema) } }, components)
  expect(breakingChanges(giving(old), giving(now))).toEqual(
    found.map((each) => `POST /things 200 application/json${each}`),
  )
})

test('a schema of a request and of its response is compared for each', () => {
  const both = { requestBody: json(size), responses: { 200: json(size) } }
  const having = (required: string[]) => api(both, { Size: object({ a: {} }, required) })
  expect(breakingChanges(having(['a']), having([]))).toEqual([
    'POST /things 200 application/json/a: the field may now be missing',
  ])
})

const taking = (...parameters: object[]) => ({ parameters })
const query = { name: 'size', in: 'query', schema: { type: 'integer' } }
const required = { ...query, required: true }
const empty = { ...query, allowEmptyValue: true }
const answering = (status: number, response: object) => ({ responses: { [status]: response } })
const answered = answering(200, {})
const refusing = (status: number, ...codes: string[]) => {
  const schema = { allOf: [{ properties: { code: { enum: codes } } }] }
  return answering(status, { content: { 'application/problem+json': { schema } } })
}

test.each<[string, ...Change]>([
  ['another name', {}, { operationId: 'makeThing' }, ': operationId was addThing and is makeThing'],
  ['a new optional parameter', taking(), taking(query)],
  [
    'a parameter that becomes required',
    taking(query),
    taking(required),
    ' query size: it is now required',
  ],
  [
    'a parameter that is gone',
    taking(query),
    taking({ ...query, in: 'path' }),
    ' query size: it was removed',
  ],
  [
    'another type',
    taking(query),
    taking({ ...query, schema: text }),
    ' query size: the type was integer and is string',
  ],
  [
    'a body that has come to be needed',
    {},
    { requestBody: { required: true } },
    ' body: it is now required',
  ],
  ['a body that is gone', { requestBody: {} }, {}, ' body: it was removed'],
  ['a new error code', refusing(404, 'gone'), refusing(404, 'gone', 'lost')],
  ['an error that no longer occurs', refusing(404, 'gone'), {}],
  [
    'a code that comes with another status',
    refusing(404, 'gone'),
    refusing(410, 'gone'),
    ': gone was 404 and is 410',
  ],
  ['a success of another status', answered, answering(201, {}), ' 200: it was removed'],
  [
    'a content type that is gone',
    answering(200, json({})),
    answered,
    ' 200 application/json: it was removed',
  ],
  [
    'a header that is gone',
    answering(200, { headers: { Etag: {} } }),
    answered,
    ' 200 header Etag: it was removed',
  ],
  [
    'a header of another type',
    answering(200, { headers: { Etag: { schema: text } } }),
    answering(200, { headers: { Etag: { schema: number } } }),
    ' 200 header Etag: the type was string and is number',
  ],
  ['a parameter that may be empty', taking(query), taking(empty)],
  [
    'a parameter that may be empty no longer',
    taking(empty),
    taking(query),
    ' query size: it must no longer be empty',
  ],
  ['no need of a credential', {}, { security: [] }],
  ['a credential that has come to be needed', { security: [] }, {}, ': a credential is now needed'],
  [
    'a credential that no longer does',
    {},
    { security: [{ bearer: [] }] },
    ': apiKey no longer gives access',
  ],
])('of an operation, %s', (_, old, now, ...found) => {
  expect(breakingChanges(api(old), api(now))).toEqual(found.map((each) => `POST /things${each}`))
})

test('a header and a credential that have a name must stay as they are', () => {
  const headers = { Etag: { $ref: '#/components/headers/Etag' } }
  const named = (schema: object, bearer: object) => ({
    ...api(answering(200, { headers })),
    components: { headers: { Etag: { schema } }, securitySchemes: { bearer } },
  })
  const bearer = { type: 'http', scheme: 'bearer' }
  const before = named(text, bearer)
  expect(breakingChanges(before, named(text, { ...bearer, description: 'A key.' }))).toEqual([])
  expect(breakingChanges(before, named(number, { ...bearer, scheme: 'basic' }))).toEqual([
    'bearer: the security scheme has changed',
    'POST /things 200 header Etag: the type was string and is number',
  ])
})

test('an operation may be added, and not be removed', () => {
  const [before, after] = [{ paths: {} }, api({})]
  expect(breakingChanges(before, after)).toEqual([])
  expect(breakingChanges(after, before)).toEqual(['POST /things: the operation was removed'])
})

test('the comparison comes to an end where a schema contains itself', () => {
  const tree = (type: string) =>
    api({ requestBody: json(size) }, { Size: object({ leaf: { type }, more: size }) })
  expect(breakingChanges(tree('string'), tree('string'))).toEqual([])
  expect(breakingChanges(tree('string'), tree('number'))).toHaveLength(1)
})
