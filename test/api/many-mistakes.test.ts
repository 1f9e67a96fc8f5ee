import { nearest } from '@embed-access/core/nearest.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { unknownTenantGroups } from '@embed-access/core/sessions/unknown-names.ts'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { input, parseInput } from '../../functions/http/input.ts'

// Other files have loaded what imports it.
vi.hoisted(() => vi.resetModules())
vi.mock('@embed-access/core/nearest.ts', { spy: true })

const misspelt = (_: unknown, index: number) => [`externalId${index}`, index]
const attribute = { name: 'a', value: 'b', nam: 'c' }

test.each([
  ['of one object', 12_999, Object.fromEntries(Array.from({ length: 13_000 }, misspelt))],
  // The list is also too long, and repeats a name.
  ['of many objects', 13_001, { userAttributes: Array(13_000).fill(attribute) }],
])(
  'unknown fields %s are all counted; a nearest name is sought for listed ones',
  (_, more, fields) => {
    vi.mocked(nearest).mockClear()
    const errors = { length: 1000 }
    const message = expect.stringContaining(`, and ${more} more problems.`)
    const body = { deploymentId: 1, ...fields }
    expect(() => parseInput({ body: GenerateSession }, { body })).toThrow(
      expect.objectContaining({ message, errors: expect.objectContaining(errors) }),
    )
    expect(nearest).toHaveBeenCalledTimes(1000)
  },
)

test('mistakes are all counted below 63 objects', () => {
  let securityContext: unknown = Array(80_000).fill([])
  for (let depth = 0; depth < 63; depth += 1) securityContext = { a: securityContext }
  // The context is also too large.
  const message = expect.stringContaining(', and 80000 more problems.')
  const body = { deploymentId: 1, securityContext }
  expect(() => parseInput({ body: GenerateSession }, { body })).toThrow(
    expect.objectContaining({ message }),
  )
})

test('misspelt parameters are all counted, and the first ones listed', () => {
  const names = Array.from(
    { length: 1500 },
    (_, index) => `firs${String.fromCodePoint(500 + index)}`,
  )
  const query = Object.fromEntries(names.map((name) => [name, '1']))
  const schemas = { query: v.object({ first: v.optional(v.string()) }) }
  expect(() => parseInput(schemas, { query })).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(', and 1499 more problems.'),
      errors: expect.objectContaining({ length: 1000 }),
    }),
  )
})

test('an unknown group is compared with the first thousand groups of a large tenant', () => {
  vi.mocked(nearest).mockClear()
  const request = v.parse(GenerateSession, {
    deploymentId: 1,
    creatorMode: true,
    embedTenantName: 'oak',
    tenantGroups: Array.from({ length: 100 }, (_, index) => `unknown ${index}`),
  })
  const groups = Array.from({ length: 3000 }, (_, index) => ({ name: `known ${index}` }))
  expect(unknownTenantGroups(request, groups)).toHaveLength(100)
  expect(vi.mocked(nearest).mock.calls.map(([, known]) => known.length)).toEqual(
    Array(5).fill(1000),
  )
})

// If each parameter looked at all others, the test would reach its limit of time.
test('a query of 100,000 parameters is read in one pass', () => {
  const rawQueryString = Array.from({ length: 100_000 }, (_, index) => `${index}=1`).join('&')
  const context = { input: undefined }
  input({ query: v.looseObject({}) }).before?.({ event: { rawQueryString }, context } as never)
  expect(Object.keys(Object(context.input).query)).toHaveLength(100_000)
})
