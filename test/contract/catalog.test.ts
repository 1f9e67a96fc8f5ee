import { readFileSync } from 'node:fs'
import { checkChanges } from '@embed-access/core/catalog/apply.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { samples } from '../catalog/samples.ts'

const accepts = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync('docs/catalog.schema.json', 'utf8')),
)

describe('docs/catalog.md', () => {
  const page = readFileSync('docs/catalog.md', 'utf8')
  const section = (kind: string) => page.split(`\n## ${kind}\n`)[1]?.split('\n## ')[0] ?? ''

  test.each(Object.keys(kinds))('has every field of %s, and an example that is valid', (kind) => {
    const { data } = kinds[kind as keyof typeof kinds]
    for (const field of Object.keys(data.entries))
      expect(section(kind)).toMatch(new RegExp(`^\\| \\**\`${field}\``, 'm'))
    const example = JSON.parse(/```json\n(.*)\n```/.exec(section(kind))?.[1] ?? '')
    expect(example.kind).toBe(kind)
    expect(checkChanges([example])).toEqual([{ outcome: 'applied' }])
    expect([kind, accepts(example), accepts.errors]).toEqual([kind, true, null])
  })
})

describe('docs/catalog.schema.json', () => {
  const isTaken = (change: object) => checkChanges([change])[0]?.outcome === 'applied'

  test('accepts what the import accepts, and no unknown kind or operation', () => {
    for (const [kind, all] of Object.entries(samples)) {
      for (const data of all) {
        expect([kind, accepts({ kind, revision: 1, data })]).toEqual([kind, true])
        const withUnknownField = { kind, data: { ...(data as object), x: 1 } }
        expect([kind, accepts(withUnknownField)]).toEqual([kind, isTaken(withUnknownField)])
        expect(accepts({ kind, op: 'remove', data })).toBe(false)
      }
    }
    for (const name of ['Blue-River', 'BLUE', 'a', 'blue_river', '-blue', 'Åre']) {
      const change = { kind: 'embedTenant', data: { accountId: 'acme', name } }
      expect([name, accepts(change)]).toEqual([name, isTaken(change)])
    }
    expect(accepts({ kind: 'folder', op: 'delete', data: { deploymentId: 1, id: 7 } })).toBe(true)
    expect(accepts({ kind: 'folder', data: { deploymentId: 1, id: 7 } })).toBe(false)
    expect(accepts({ kind: 'flder', data: { deploymentId: 1, id: 7 } })).toBe(false)
  })

  test('refuses a revision that the import refuses, such as a time in nanoseconds', () => {
    const data = { deploymentId: 1, id: 7, name: 'Finance', parentId: null }
    for (const revision of [0, -1, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1_795_870_378 * 1e9, 1.5]) {
      const change = { kind: 'folder', revision, data }
      expect([revision, accepts(change)]).toEqual([revision, isTaken(change)])
    }
  })
})
