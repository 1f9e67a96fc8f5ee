import { nearest } from '@embed-access/core/nearest.ts'
import { Refusal } from '@embed-access/core/refusal.ts'
import { GenerateSession } from '@embed-access/core/sessions/request.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { parseBody } from '../../functions/http/input.ts'

// Other files have loaded what imports it.
vi.hoisted(() => vi.resetModules())
vi.mock('@embed-access/core/nearest.ts', { spy: true })

beforeEach(() => void vi.mocked(nearest).mockClear())

function refusalOf(body: object): Refusal {
  try {
    return expect.fail(`accepted as ${parseBody(GenerateSession, body)}`)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const misspelt = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`externalId${i}`, i]))

describe('of a body with more mistakes than are listed', () => {
  test.each([
    ['unknown fields of one object', { deploymentId: 1, ...misspelt(13_000) }],
    [
      'unknown fields of many objects',
      { deploymentId: 1, userAttributes: Array.from({ length: 13_000 }, () => ({ name: 'a', value: 'b', nam: 'c' })) },
    ],
  ])('%s are all counted, and the listed ones have hints', (_, body) => {
    const { message, errors } = refusalOf(body)
    expect(errors).toHaveLength(1000)
    expect(message).toContain(', and 12999 more problems.')
    expect(nearest).toHaveBeenCalledTimes(1000)
  })
})

test('a body with few mistakes gets the nearest known field for each unknown one', () => {
  expect(refusalOf({ deploymentId: 1, ...misspelt(2) }).errors).toEqual([
    { pointer: '/externalId0', message: 'is not a known field; the nearest one is externalId' },
    { pointer: '/externalId1', message: 'is not a known field; the nearest one is externalId' },
  ])
})
