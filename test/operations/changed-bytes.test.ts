import { maxSortKeyBytes } from '@embed-access/core/storage/keys.ts'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { anyCharacter } from '../support/properties.ts'
import {
  embedTenant,
  folder,
  keptDecisions,
  keys,
  share,
  workbook,
  world,
} from '../support/service.ts'
import { everyOperation, isList, itemsOfEveryList, requestOf, stored } from './requests.ts'

const inFolder = [
  folder(1, 1000, null),
  workbook(1, 1000, { folderId: 1000 }),
  share(1, 'folder', 1000, embedTenant('north')),
]
const service = world([...itemsOfEveryList(3), ...inFolder], keptDecisions)

type Change = {
  readonly at: number
  readonly byte: number
  readonly how: 'replaced' | 'inserted' | 'left out'
}

/** A change of one byte to one of so many others. */
const change = (min: number, max: number): fc.Arbitrary<Change> =>
  fc.record({
    at: fc.nat(),
    byte: fc.integer({ min, max }),
    how: fc.constantFrom('replaced', 'inserted', 'left out'),
  })

function changed(text: string, { at, byte, how }: Change): Buffer {
  const bytes = [...Buffer.from(text)]
  bytes.splice(at % bytes.length, how === 'inserted' ? 0 : 1, ...(how === 'left out' ? [] : [byte]))
  return Buffer.from(bytes)
}

const numRuns = 30

const forged = 'forged:'
/** Turns a position behind this word into a cursor of the list that reads it. */
vi.mock(import('@embed-access/core/storage/cursor.ts'), async (original) => {
  const { decodeCursor, encodeCursor } = await original()
  return {
    encodeCursor,
    decodeCursor: (list, cursor) =>
      cursor.startsWith(forged)
        ? decodeCursor(list, encodeCursor(list, cursor.slice(forged.length)))
        : decodeCursor(list, cursor),
  }
})

/** Positions made of parts of those that lists have, and others. */
const position = fc.oneof(
  fc
    .array(fc.constantFrom('record', 'share', 'f', 'w', 'a5', 'b12', '#', '%', '~', ' ', '0'))
    .map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc
    .integer({ min: maxSortKeyBytes - 2, max: maxSortKeyBytes + 2 })
    .map((size) => 'x'.repeat(size)),
)

/** Each changes one of the lists. The others ignore it. */
const filter = fc.constantFrom(
  '',
  'accessSource=folder',
  'accessSource=tenant',
  'status=FAILED',
  'recipientUserId=1',
  'embedTenantName=north',
)

describe.each(everyOperation.filter(isList))('$id', (operation) => {
  test('refuses a cursor of which one byte is another', async () => {
    const { path } = await requestOf(service, operation)
    const { endCursor } = (await service.get(`${path}?first=1`, { key: keys.admin })).body.pageInfo
    expect((await service.get(`${path}?after=${endCursor}`, { key: keys.admin })).status).toBe(200)
    await fc.assert(
      fc.asyncProperty(change(0x21, 0x7e), async (by) => {
        const cursor = changed(endCursor, by).toString()
        fc.pre(cursor !== endCursor)
        const { status, body } = await service.get(`${path}?after=${encodeURIComponent(cursor)}`, {
          key: keys.admin,
        })
        expect([status, body.code]).toEqual([400, 'invalid_cursor'])
      }),
      { numRuns },
    )
  })
})

describe.each(everyOperation.filter(isList))('$id', (operation) => {
  test('answers or refuses every cursor, also one that somebody has forged', async () => {
    const { path } = await requestOf(service, operation)
    const answer = async (filter: string, after: string) => {
      const query = `first=2&${filter}&after=${encodeURIComponent(after)}`
      return (await service.get(`${path}?${query}`, { key: keys.admin })).status
    }
    await fc.assert(
      fc.asyncProperty(position, filter, async (position, filter) => {
        expect(await answer(filter, forged + position)).toBeOneOf([200, 400])
        expect(await answer(filter, position)).toBe(400)
      }),
      { numRuns },
    )
  })
})

describe.each(everyOperation.filter(({ input }) => input.body))('$id', (operation) => {
  test('answers a body of which one byte is another, or refuses and writes nothing', async () => {
    const { path, body } = await requestOf(service, operation)
    let before = await stored(service)
    await fc.assert(
      fc.asyncProperty(change(0, 255), async (by) => {
        const response = await fetch(service.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json' },
          body: changed(JSON.stringify(body), by) as Uint8Array<ArrayBuffer>,
        })
        await response.arrayBuffer()
        expect(response.status).toBeOneOf([200, 204, 400, 401, 404])
        const after = await stored(service)
        if (response.status >= 400) expect(after).toEqual(before)
        before = after
      }),
      { numRuns },
    )
  })
})
