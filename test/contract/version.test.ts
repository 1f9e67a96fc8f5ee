import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contractVersion } from '../../openapi/document.ts'
import { nextVersion, versionSinceRelease } from '../../openapi/released.ts'

test('The document’s version fits what has changed, and the client names it', async () => {
  expect(contractVersion).toBe(await versionSinceRelease())
  expect(readFileSync('client/README.md', 'utf8')).toContain(`of contract ${contractVersion}.`)
})

describe('the version after 1.2.3', () => {
  const released = {
    info: { title: 'Things', version: '1.2.3' },
    paths: {
      '/things': {
        get: {
          summary: 'Lists things',
          responses: { 200: { description: 'A page', headers: { Etag: {} } } },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          description: 'A thing',
          properties: { description: { type: 'string', examples: ['old'] } },
        },
      },
    },
  }
  const changed = (from: string, to: string) =>
    JSON.parse(JSON.stringify(released).replace(from, to))

  test.each([
    ['1.2.3', 'nothing', '', ''],
    ['1.2.3', 'the version itself', '1.2.3', '1.2.9'],
    ['1.2.4', 'a title', 'Things', 'All things'],
    ['1.2.4', 'a summary', 'Lists', 'Gives'],
    ['1.2.4', 'a description', 'A thing', 'One thing'],
    ['1.2.4', 'an example', 'old', 'new'],
    ['1.3.0', 'a type', '"string"', '["string","null"]'],
    ['1.3.0', 'a header', '"Etag":{}', '"Etag":{},"Age":{}'],
    ['1.3.0', 'an operation', '"paths":{', '"paths":{"/more":{"get":{}},'],
    ['1.3.0', 'a field of the name summary', '"properties":{', '"properties":{"summary":{},'],
  ])('is %s if %s has changed', (version, _, from, to) => {
    expect(nextVersion(released, changed(from, to))).toBe(version)
  })
})
