import { apiKeyPattern, isMistyped, namedHolder, newApiKey } from '@embed-access/core/access/api-key.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const ada = { accountId: 'acme', userId: 1 }

const ourShape = new RegExp(`^${apiKeyPattern.source}$`)

const holder = fc.record({
  accountId: fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('a#1', '%23', 'é', '-', '\u0000')),
  userId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

describe('a key that we mint', () => {
  test('is found by the published pattern, wherever it stands, and is safe in a header', () => {
    fc.assert(
      fc.property(holder, (holder) => {
        const key = newApiKey(holder)
        expect(key).toMatch(/^[\w-]{55,256}$/)
        expect(apiKeyPattern.exec(`API_KEY="${key}";\n`)?.[0]).toBe(key)
        expect(isMistyped(key)).toBe(false)
      }),
    )
  })

  test('is found by the pattern too if it names nobody, as older keys do', () => {
    const key = newApiKey({ accountId: 'a'.repeat(200), userId: 1 })
    expect(key).toHaveLength(55)
    expect(apiKeyPattern.exec(`API_KEY="${key}";\n`)?.[0]).toBe(key)
  })

  test('names its holder, whatever the account is called', () => {
    fc.assert(
      fc.property(holder, (holder) => {
        expect(namedHolder(newApiKey(holder))).toEqual(holder)
      }),
    )
  })

  test('names nobody if the name of its account is too long', () => {
    const keyOf = (length: number) => newApiKey({ accountId: 'a'.repeat(length), userId: 1 })
    expect([keyOf(148).length, keyOf(149).length]).toEqual([256, 55])
    expect([namedHolder(keyOf(148))?.userId, namedHolder(keyOf(149))]).toEqual([1, undefined])
  })

  test('is mistyped if one character is another, or two have changed places', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 63 }), fc.constantFrom(...'0aZ9'), (at, character) => {
        const key = newApiKey(ada)
        expect(key).toHaveLength(64)
        const typo = key.slice(0, at) + character + key.slice(at + 1)
        const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1)
        if (ourShape.test(typo)) expect(isMistyped(typo)).toBe(typo !== key)
        if (ourShape.test(swapped)) expect(isMistyped(swapped)).toBe(swapped !== key)
      }),
    )
  })

  test('shares its shape with no key of another kind', () => {
    const others = ['sk-demo-admin', `sk-${'a'.repeat(52)}`, `sk-ea_${'a'.repeat(48)}`, `sk-ea_${'a'.repeat(48)}-`, '']
    expect(others.filter(isMistyped)).toEqual([])
    expect(others.filter(namedHolder)).toEqual([])
  })
})
