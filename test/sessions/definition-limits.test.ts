import {
  definitionAttribute,
  groupAttribute,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { problemsOfGrowth } from '@embed-access/core/sessions/definition-limits.ts'
import { describe, expect, test } from 'vitest'

const groups = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [groupAttribute(`${index}`), {}]))
const withDefault = (length: number) => ({
  [definitionAttribute('a')]: { defaultValue: 'x'.repeat(length) },
  [definitionAttribute('b')]: {},
})
const bytes = (count: number) => ({ text: 'x'.repeat(count - '{"text":""}'.length) })
const full = { text: 'x'.repeat(maxEmbedTenantBytes) }

const [ofGroups, ofAttributes] = ['/tenantGroupDefinitions', '/userAttributeDefinitions']
const all =
  `the bytes of all definitions to ${maxEmbedTenantBytes + 1}; the limit is ` +
  `${maxEmbedTenantBytes}`

describe('a request whose definitions are stored', () => {
  const request = { deploymentId: 1, tenantGroupDefinitions: [{ name: 'g' }] }
  const both = { ...request, userAttributeDefinitions: [{ name: 'a' }] }

  test.each<[string, object, object]>([
    // 75 bytes of JSON are 100 bytes of base64url: 50 of the value and 25 around it.
    ['defaults of a quarter of a token', {}, withDefault(50)],
    ['a full item', bytes(1000), bytes(maxEmbedTenantBytes)],
    ['too many groups, as before', groups(1001), groups(1001)],
    ['too many groups, but fewer', groups(1002), groups(1001)],
    ['too large defaults, as before', withDefault(200), withDefault(200)],
    [
      'too large an item, as before',
      { ...full, ...withDefault(10) },
      { ...full, ...withDefault(10) },
    ],
    [
      'too large an item, but smaller',
      { ...full, ...withDefault(10) },
      { ...full, ...withDefault(9) },
    ],
  ])('may have %s', (_, before, after) => {
    expect(problemsOfGrowth(both, { ...before }, { ...after }, 400, false)).toEqual([])
  })

  test.each([
    [
      'defaults',
      {},
      withDefault(51),
      [ofAttributes],
      'the bytes of defaults in every token to 102; the limit is 100',
    ],
    ['bytes', bytes(1000), bytes(maxEmbedTenantBytes + 1), [ofGroups, ofAttributes], all],
  ])('may not have more %s', (_, before, after, pointers, what) => {
    const problem = (pointer: string) => ({ pointer, message: `would bring ${what}` })
    expect(problemsOfGrowth(both, { ...before }, { ...after }, 400, false)).toEqual(
      pointers.map(problem),
    )
    const ofRequest = pointers.filter((pointer) => pointer === ofGroups)
    expect(problemsOfGrowth(request, { ...before }, { ...after }, 400, false)).toEqual(
      ofRequest.map(problem),
    )
  })
})
