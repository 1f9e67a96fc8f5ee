import { type AttributeDefinition, maxEmbedTenantBytes } from '@embed-access/core/embed-tenants/embed-tenant.ts'
import { problemsOfBudget, problemsOfSize } from '@embed-access/core/sessions/definition-limits.ts'
import { describe, expect, test } from 'vitest'

type Definitions = Parameters<typeof problemsOfSize>[1]

const request = { deploymentId: 1, tenantGroupDefinitions: [{ name: 'g' }], userAttributeDefinitions: [{ name: 'a' }] }
const groups = (count: number): Definitions => ({
  groups: Array.from({ length: count }, (_, index) => ({ name: `g${index}` })),
  attributes: [],
})
const attributes = (count: number): Definitions => ({
  groups: [],
  attributes: Array.from({ length: count }, (_, index): AttributeDefinition => ({ name: `a${index}` })),
})
const withDefault = (length: number): Definitions => ({
  groups: [],
  attributes: [{ name: 'a', defaultValue: 'x'.repeat(length) }, { name: 'b' }],
})
const problems = (before: Definitions, after: Definitions, item: object = {}) =>
  problemsOfSize(request, before, after, item, 400)

describe('a request whose definitions are stored', () => {
  test('may bring the groups to 1,000 and the attributes to 200, and no further', () => {
    expect(problems(groups(999), groups(1000))).toEqual([])
    expect(problems(groups(1000), groups(1001))).toEqual([
      { pointer: '/tenantGroupDefinitions', message: 'must not make it 1001 groups; at most 1000 are possible' },
    ])
    expect(problems(attributes(199), attributes(200))).toEqual([])
    expect(problems(attributes(200), attributes(201))).toEqual([
      { pointer: '/userAttributeDefinitions', message: 'must not make it 201 attributes; at most 200 are possible' },
    ])
  })

  test('may change what there is too much of, as long as it does not grow', () => {
    expect(problems(groups(1001), groups(1001))).toEqual([])
    expect(problems(groups(1002), groups(1001))).toEqual([])
    expect(problems(withDefault(200), withDefault(200))).toEqual([])
    const item = { text: 'x'.repeat(maxEmbedTenantBytes) }
    expect(problems(withDefault(10), withDefault(10), item)).toEqual([])
    expect(problems(withDefault(10), withDefault(9), item)).toEqual([])
    expect(problems(withDefault(9), withDefault(10), item)).toHaveLength(2)
  })

  test('may bring the defaults to a quarter of a token, and no further', () => {
    // 75 bytes of JSON are 100 bytes of base64url: 50 of the value and 25 around it.
    const empty = { groups: [], attributes: [] }
    expect(problems(empty, withDefault(50))).toEqual([])
    expect(problems(empty, withDefault(51))).toEqual([
      {
        pointer: '/userAttributeDefinitions',
        message: 'must not make it 102 bytes of defaults in every token; at most 100 are possible',
      },
    ])
  })

  test('may bring the whole item to its limit, to the byte, and no further', () => {
    const item = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect(problems(groups(1), groups(2), item(maxEmbedTenantBytes))).toEqual([])
    const message = `must not make all definitions take ${maxEmbedTenantBytes + 1} bytes; at most ${maxEmbedTenantBytes} are possible`
    expect(problems(groups(1), groups(2), item(maxEmbedTenantBytes + 1))).toEqual([
      { pointer: '/tenantGroupDefinitions', message },
      { pointer: '/userAttributeDefinitions', message },
    ])
    const only = { deploymentId: 1, userAttributeDefinitions: [{ name: 'a' }] }
    expect(problemsOfSize(only, groups(1), groups(2), item(maxEmbedTenantBytes + 1), 400)).toEqual([
      { pointer: '/userAttributeDefinitions', message },
    ])
  })

  test('may bring the groups of sessions to their budget, to the byte, and no further', () => {
    const adding = (before: number, by: number) => problemsOfBudget(before, { attribute: 'sum', by, limit: 150 })
    expect(adding(100, 50)).toEqual([])
    expect(adding(100, 51)).toEqual([
      {
        pointer: '/tenantGroupDefinitions',
        message: 'must not make it 151 bytes of groups that sessions define; at most 150 are possible',
      },
    ])
    expect([adding(200, 0), adding(200, -1)]).toEqual([[], []])
  })
})
