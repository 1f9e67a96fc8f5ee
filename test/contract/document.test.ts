import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { errorCodes } from '../../functions/http/error-codes.ts'
import { routes } from '../../functions/operations/operations.ts'
import { generatedFiles } from '../../scripts/openapi.ts'
import { keys, world } from '../support/service.ts'

const committed = (path: string) => readFileSync(path, 'utf8')
const text = committed('docs/openapi.json')
const document = JSON.parse(text)

test('What is made from the code is committed as it would be made now', async () => {
  for (const [path, content] of Object.entries(await generatedFiles())) {
    expect(committed(path) === content, `${path} is out of date: run npm run openapi`).toBe(true)
  }
})

const service = world()

describe('the OpenAPI document', () => {
  test('has no error of the linter, and no example that its schema refuses', async () => {
    // There is no licence to name yet.
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'info-license': 'off' },
    })
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config })
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).toEqual([])
  })

  test('asks for a credential where the service does', () => {
    const own: Partial<Record<string, object>> = {
      public: [],
      embed: [{ bearer: [] }, { embedToken: [] }],
    }
    for (const { path, method, access } of routes) {
      expect([path, document.paths[path][method.toLowerCase()].security]).toEqual([
        path,
        own[access],
      ])
    }
    expect(document.security.flatMap(Object.keys)).toEqual(['bearer', 'apiKey', 'embedToken'])
  })

  test('describes each field of a session request', () => {
    const fields = Object.entries<{ description?: string }>(
      document.components.schemas.GenerateSession.properties,
    )
    const bare = fields.filter(([, { description }]) => !description).map(([name]) => name)
    expect(bare, 'add a description to openapi/field-descriptions.ts').toEqual([])
  })

  test.each([
    ['half of a surrogate pair', '', { externalId: '\ud800' }],
    ['U+FFFD', '', { externalId: '\ufffd' }],
    [
      '`prototype` inside `constructor`',
      '',
      { groupDefinitions: { constructor: { prototype: 1 } } },
    ],
    ['given twice', '?dryRun=true&dryRun=true', {}],
  ])('says in words that $0 is refused, which no schema says', async (words, query, more) => {
    const path = `/api/v1/embed/generate-session${query}`
    const body = { deploymentId: 1, ...more }
    expect((await service.post(path, { key: keys.admin, body })).status).toBe(400)
    expect(text.replaceAll('\\n', ' ')).toContain(words)
  })

  test('has the longest lifetime of a token that any stage accepts', () => {
    const { tokenLifetimeSeconds } = document.components.schemas.GenerateSession.properties
    expect(tokenLifetimeSeconds).toMatchObject({ minimum: 60, maximum: 86_400 })
  })

  test('gives numbers a format, without which generators make them too small', () => {
    const formats = new Map<string, Set<string>>()
    JSON.parse(text, (_, value) => {
      if (value && /integer|number/.test(value.type) && !value.enum)
        formats.set(`${value.type}`, (formats.get(`${value.type}`) ?? new Set()).add(value.format))
      return value
    })
    expect(Object.fromEntries(formats)).toEqual({
      integer: new Set(['int64']),
      'integer,null': new Set(['int64']),
      number: new Set(['double']),
      'number,null': new Set(['double']),
    })
  })

  test('is served as it is committed, to anyone, to be kept for a while', async () => {
    const { status, headers, body } = await service.get('/api/v1/spec')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(body).toEqual(document)
    const { content } = document.paths['/api/v1/spec'].get.responses[200]
    expect(body).toMatchObject(content['application/json'].examples.document.value)
  })
})

test('The reference of errors has a section for every code, and types link to it', async () => {
  const { body } = await service.get('/api/v1/deployments/1/dbt-sync?first=0', { key: keys.admin })
  expect(body.type).toBe(`${service.issuer}/docs/errors#invalid_parameter`)
  const page = await service.get(new URL(body.type).pathname)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const code of Object.keys(errorCodes)) expect(page.text).toContain(`<section id="${code}">`)
})
