import {
  definitionAttribute,
  groupAttribute,
  maxEmbedTenantBytes,
} from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { problemsOfGrowth } from '@embed-access/core/sessions/definition-limits.ts'
import { describe, expect, test } from 'vitest'

const request = { deploymentId: 1, tenantGroupDefinitions: [{ name: 'g' }], userAttributeDefinitions: [{ name: 'a' }] }
const many = (count: number, attributeOf: (name: string) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [attributeOf(`${index}`), {}]))
const groups = (count: number) => many(count, groupAttribute)
const attributes = (count: number) => many(count, definitionAttribute)
const withDefault = (length: number) => ({
  [definitionAttribute('a')]: { defaultValue: 'x'.repeat(length) },
  [definitionAttribute('b')]: {},
})
const problems = (before: object, after: object) => problemsOfGrowth(request, { ...before }, { ...after }, 400)

describe('a request whose definitions are stored', () => {
  test('may bring the groups to 1,000 and the attributes to 200, and no further', () => {
    expect(problems(groups(999), groups(1000))).toEqual([])
    expect(problems(groups(1000), groups(1001))).toEqual([
      { pointer: '/tenantGroupDefinitions', message: 'would bring the number of groups to 1001; the limit is 1000' },
    ])
    expect(problems(attributes(199), attributes(200))).toEqual([])
    expect(problems(attributes(200), attributes(201))).toEqual([
      {
        pointer: '/userAttributeDefinitions',
        message: 'would bring the number of attributes to 201; the limit is 200',
      },
    ])
  })

  test('may change what there is too much of, as long as it does not grow', () => {
    expect(problems(groups(1001), groups(1001))).toEqual([])
    expect(problems(groups(1002), groups(1001))).toEqual([])
    expect(problems(withDefault(200), withDefault(200))).toEqual([])
    const full = { text: 'x'.repeat(maxEmbedTenantBytes) }
    expect(problems({ ...full, ...withDefault(10) }, { ...full, ...withDefault(10) })).toEqual([])
    expect(problems({ ...full, ...withDefault(10) }, { ...full, ...withDefault(9) })).toEqual([])
    expect(problems({ ...full, ...withDefault(9) }, { ...full, ...withDefault(10) })).toHaveLength(2)
  })

  test('may bring the defaults to a quarter of a token, and no further', () => {
    // 75 bytes of JSON are 100 bytes of base64url: 50 of the value and 25 around it.
    expect(problems({}, withDefault(50))).toEqual([])
    expect(problems({}, withDefault(51))).toEqual([
      {
        pointer: '/userAttributeDefinitions',
        message: 'would bring the bytes of defaults in every token to 102; the limit is 100',
      },
    ])
  })

  test('may bring the whole item to its limit, to the byte, and no further', () => {
    const item = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect(problems(item(1000), item(maxEmbedTenantBytes))).toEqual([])
    const message = `would bring the bytes of all definitions to ${maxEmbedTenantBytes + 1}; the limit is ${maxEmbedTenantBytes}`
    expect(problems(item(1000), item(maxEmbedTenantBytes + 1))).toEqual([
      { pointer: '/tenantGroupDefinitions', message },
      { pointer: '/userAttributeDefinitions', message },
    ])
    const only = { deploymentId: 1, userAttributeDefinitions: [{ name: 'a' }] }
    expect(problemsOfGrowth(only, item(1000), item(maxEmbedTenantBytes + 1), 400)).toEqual([
      { pointer: '/userAttributeDefinitions', message },
    ])
  })

  test('may bring the groups of sessions to their budget, to the byte, and no further', () => {
    const sums = (before: number, after: number) =>
      problems({ sessionGroupBytes: before }, { sessionGroupBytes: after })
    expect(sums(100, 32_768)).toEqual([])
    expect(sums(100, 32_769)).toEqual([
      {
        pointer: '/tenantGroupDefinitions',
        message: 'would bring the bytes of groups that sessions define to 32769; the limit is 32768',
      },
    ])
    expect([sums(32_770, 32_770), sums(32_770, 32_769)]).toEqual([[], []])
  })
})
