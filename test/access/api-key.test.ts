import {
  apiKeyPattern,
  holderInText,
  isMistyped,
  newApiKey,
} from '@embed-access/core/access/api-key.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../support/properties.ts'

const ada = { accountId: 'acme', userId: 1 }

const ourShape = new RegExp(`^${apiKeyPattern.source}$`)

const holder = fc.record({
  accountId: fc.oneof(
    fc.string({ unit: anyCharacter, minLength: 1 }),
    fc.constantFrom('a#1', '%23', 'é', '-', '\u0000'),
  ),
  userId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
})

describe('a key that we mint', () => {
  test('names its holder, fits the published pattern and a header, for any account name', () => {
    fc.assert(
      fc.property(holder, (holder) => {
        const key = newApiKey(holder)
        expect(key).toMatch(/^[\w-]{55,256}$/)
        expect(apiKeyPattern.exec(`API_KEY="${key}";\n`)?.[0]).toBe(key)
        expect([isMistyped(key), holderInText(key)]).toEqual([false, holder])
      }),
    )
  })

  test('names nobody if the name of its account is too long, and is found all the same', () => {
    const [longest, tooLong] = [148, 149].map((length) =>
      newApiKey({ accountId: 'a'.repeat(length), userId: 1 }),
    )
    expect([longest?.length, tooLong?.length]).toEqual([256, 55])
    expect([longest, tooLong].map((key = '') => holderInText(key)?.userId)).toEqual([1, undefined])
    expect(apiKeyPattern.exec(`API_KEY="${tooLong}";\n`)?.[0]).toBe(tooLong)
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

  test('is mistyped or of another shape without one of its characters', () => {
    const key = newApiKey(ada)
    for (let at = 6; at < key.length; at += 1) {
      const shorter = key.slice(0, at) + key.slice(at + 1)
      const isOfHolder = at < key.length - 50
      expect([at, isMistyped(shorter), ourShape.test(shorter)]).toEqual([
        at,
        isOfHolder,
        isOfHolder,
      ])
    }
  })

  test('shares its shape with no key of another kind', () => {
    const others = [
      'sk-demo-admin',
      `sk-${'a'.repeat(52)}`,
      `sk-ea_${'a'.repeat(48)}`,
      `sk-ea_${'a'.repeat(48)}-`,
      '',
    ]
    expect(others.filter(isMistyped)).toEqual([])
    expect(others.filter(holderInText)).toEqual([])
  })
})
