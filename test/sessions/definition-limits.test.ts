import {
  definitionAttribute,
  groupAttribute,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { problemsOfGrowth } from '@embed-access/core/sessions/definition-limits.ts'
import { describe, expect, test } from 'vitest'

const names = (count: number, attributeOf: (name: string) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [attributeOf(`${index}`), {}]))
const groups = (count: number) => names(count, groupAttribute)
const attributes = (count: number) => names(count, definitionAttribute)
const withDefault = (length: number) => ({
  [definitionAttribute('a')]: { defaultValue: 'x'.repeat(length) },
  [definitionAttribute('b')]: {},
})
const bytes = (count: number) => ({ text: 'x'.repeat(count - '{"text":""}'.length) })
const full = { text: 'x'.repeat(maxEmbedTenantBytes) }

const [ofGroups, ofAttributes] = ['/tenantGroupDefinitions', '/userAttributeDefinitions']
const all = `the bytes of all definitions to ${maxEmbedTenantBytes + 1}; the limit is ${maxEmbedTenantBytes}`

describe('a request whose definitions are stored', () => {
  const request = { deploymentId: 1, tenantGroupDefinitions: [{ name: 'g' }] }
  const both = { ...request, userAttributeDefinitions: [{ name: 'a' }] }

  test.each<[string, object, object]>([
    ['1,000 groups', groups(999), groups(1000)],
    ['200 attributes', attributes(199), attributes(200)],
    // 75 bytes of JSON are 100 bytes of base64url: 50 of the value and 25 around it.
    ['defaults of a quarter of a token', {}, withDefault(50)],
    ['a full item', bytes(1000), bytes(maxEmbedTenantBytes)],
    ['too many groups, as before', groups(1001), groups(1001)],
    ['too many groups, but fewer', groups(1002), groups(1001)],
    ['too large defaults, as before', withDefault(200), withDefault(200)],
    ['too large an item, as before', { ...full, ...withDefault(10) }, { ...full, ...withDefault(10) }],
    ['too large an item, but smaller', { ...full, ...withDefault(10) }, { ...full, ...withDefault(9) }],
  ])('may have %s', (_, before, after) => {
    expect(problemsOfGrowth(both, { ...before }, { ...after }, 400)).toEqual([])
  })

  test.each([
    ['groups', groups(1000), groups(1001), [ofGroups], 'the number of groups to 1001; the limit is 1000'],
    [
      'attributes',
      attributes(200),
      attributes(201),
      [ofAttributes],
      'the number of attributes to 201; the limit is 200',
    ],
    ['defaults', {}, withDefault(51), [ofAttributes], 'the bytes of defaults in every token to 102; the limit is 100'],
    ['bytes', bytes(1000), bytes(maxEmbedTenantBytes + 1), [ofGroups, ofAttributes], all],
  ])('may not have more %s', (_, before, after, pointers, what) => {
    const problem = (pointer: string) => ({ pointer, message: `would bring ${what}` })
    expect(problemsOfGrowth(both, { ...before }, { ...after }, 400)).toEqual(pointers.map(problem))
    const ofRequest = pointers.filter((pointer) => pointer === ofGroups)
    expect(problemsOfGrowth(request, { ...before }, { ...after }, 400)).toEqual(ofRequest.map(problem))
  })
})
