import { readFileSync } from 'node:fs'
import { parse } from '@embed-access/core/catalog/parse.ts'
import { pointerTo } from '@embed-access/core/input-errors.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { samples } from '../catalog/samples.ts'

type Schema = {
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}
type Limit = readonly [pointer: string, path: readonly string[], characters: number]

/** The texts of a sample whose length is limited. */
function limitsOf(schema: Schema, value: unknown, path: readonly string[] = []): Limit[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((each) =>
    limitsOf(each, value, path),
  )
  if (typeof value === 'string') {
    return schema.maxLength === undefined
      ? inner
      : [[pointerTo(path), path, schema.maxLength], ...inner]
  }
  if (Array.isArray(value))
    return schema.items ? limitsOf(schema.items, value[0], [...path, '0']) : inner
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
    limitsOf(each, (value as Record<string, unknown> | undefined)?.[name], [...path, name]),
  )
  return [...fields, ...inner]
}

/** The sample with another text at a path. */
function changed(sample: unknown, [key, ...inner]: readonly string[], text: string): unknown {
  if (key === undefined) return text
  const copy = structuredClone(sample) as Record<string, unknown>
  return Object.assign(copy, { [key]: changed(copy[key], inner, text) })
}

/** A letter of one code point, two UTF-16 units and four bytes. */
const heart = '💚'

function expectCharacters(
  [pointer, path, most]: Limit,
  sample: object,
  told: (value: unknown) => string[],
): void {
  const tooLong = `${pointer} must have at most ${most} characters`
  expect(told(changed(sample, path, heart.repeat(most)))).not.toContain(tooLong)
  expect(told(changed(sample, path, heart.repeat(most + 1)))).toContain(tooLong)
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('a limit of length is one of code points, as JSON Schema has it', () => {
  const { oneOf } = read('docs/catalog.schema.json') as {
    oneOf: { properties: { kind: { const: string } } & Schema }[]
  }
  const ofChanges = Object.entries(samples).flatMap(([kind, [data]]) => {
    const schema = oneOf.find(
      ({ properties }) => properties.kind.const === kind,
    ) as unknown as Schema
    return limitsOf(schema, { data }).map(
      (limit) => [kind, limit[0], limit, data as object] as const,
    )
  })

  test.each(ofChanges)('in a %s, at %s', (kind, _, limit, data) => {
    expectCharacters(limit, { data }, (change) => {
      const parsed = parse({ kind, ...(change as object) })
      return 'problems' in parsed
        ? parsed.problems.map(({ pointer, reason }) => `${pointer} ${reason}`)
        : []
    })
  })

  const request = {
    deploymentId: 1,
    internalId: 'ines',
    embedTenantProfile: { displayName: 'Alder & Oak' },
    groups: ['finance'],
    tenantGroups: ['editors'],
    roles: ['viewer'],
    tenantGroupDefinitions: [{ name: 'editors', description: 'May edit' }],
    userAttributes: [{ name: 'region', value: 'north' }],
    userAttributeDefinitions: [
      { name: 'region', defaultValue: 'x', description: 'Where', displayName: 'Region' },
    ],
  }
  const ofRequest = limitsOf(read('docs/openapi.json').components.schemas.GenerateSession, request)

  const told = (body: unknown) =>
    (v.safeParse(GenerateSession, body).issues ?? []).map(
      ({ path, message }) => `${pointerTo(path?.map(({ key }) => String(key)) ?? [])} ${message}`,
    )

  test.each(ofRequest.map((limit) => [limit[0], limit] as const))(
    'in the request of a session, at %s',
    (_, limit) => {
      expectCharacters(limit, request, told)
    },
  )

  test('of a default, whatever its type', () => {
    const path = ['userAttributeDefinitions', '0', 'defaultValue']
    expectCharacters([pointerTo(path), path, 500], request, told)
  })

  test('and all of them were tried', () => {
    expect([ofChanges.length, ofRequest.length]).toEqual([26, 11])
  })
})
