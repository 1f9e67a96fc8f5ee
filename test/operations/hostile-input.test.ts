import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../../functions/http/input.ts'
import { anyCharacter } from '../support/properties.ts'
import { keptDecisions, keys, world } from '../support/service.ts'
import { slow } from '../support/time.ts'
import {
  everyOperation,
  itemsOfEveryList,
  type KnownOperation,
  requestOf,
  send,
} from './requests.ts'

/** Each goes another way: through URLs, JSON, numbers, sizes, headers, names of properties. */
const hostile = [
  ...['', ' ', '\u0000', '\ud800', '\u202e', '%', '%00', '#', '٣', 'ﬃ'],
  ...['x'.repeat(3000), '😀'.repeat(300)],
  ...['__proto__', 'constructor'],
  ...['\r\nSet-Cookie: x=1', '../../etc/passwd', '"; DROP TABLE'],
  ...['null', 'NaN', '1e400', '-0'],
]

const variablesOf = ({ input }: KnownOperation) => Object.keys(input.path ?? {})
const parametersOf = ({ input }: KnownOperation) => Object.keys(input.query ?? {})
const fieldsOf = ({ input }: KnownOperation) =>
  input.body ? Object.keys(entriesOf(input.body)) : []

/** All at once, which takes less time. */
const forEach = <Value>(values: readonly Value[], act: (value: Value) => Promise<void>) =>
  Promise.all(values.map(act))

const withBody = everyOperation.filter(({ input }) => input.body)

const handled = (status: number) => status < 500

// Most of these tests send hundreds of requests.
describe('hostile input', slow, () => {
  const service = world(itemsOfEveryList(1), keptDecisions)

  test.each(everyOperation)(
    'in a query parameter of $id is refused or answered',
    async (operation) => {
      const request = await requestOf(service, operation)
      const queries = parametersOf(operation).flatMap((parameter) =>
        hostile.map((value) => `${parameter}=${encodeURIComponent(value.toWellFormed())}`),
      )
      await forEach([...queries, '__proto__=x', 'constructor=x'], async (query) => {
        const { status } = await send(
          service,
          { ...request, path: `${request.path}?${query}` },
          { key: keys.admin },
        )
        expect([query, handled(status)]).toEqual([query, true])
      })
    },
  )

  test.each(withBody)('in a field of the body of $id is refused or answered', async (operation) => {
    const few = ['', '\u0000', '\ud800', '😀'.repeat(300), '__proto__', 'constructor']
    const inLists = few.map((text) => [text])
    const inObjects = few.map((text) => ({ [text]: text }))
    const others = [null, [], {}, -1, 1.5, true, [[]], [null], { name: {} }]
    const any = fc.sample(fc.jsonValue({ stringUnit: anyCharacter }), 8)
    const values = [...hostile, ...inLists, ...inObjects, ...others, ...any]
    const request = await requestOf(service, operation)
    for (const field of fieldsOf(operation)) {
      await forEach(values, async (value) => {
        const body = { ...request.body, [field]: value }
        const { status } = await send(service, { ...request, body }, { key: keys.admin })
        expect([field, value, handled(status)]).toEqual([field, value, true])
      })
    }
  })
})

// Bodies name embed tenants, some of them as hostile paths do.
// Each of these tests sends dozens of requests.
describe('hostile input in a path', slow, () => {
  const service = world(itemsOfEveryList(1), keptDecisions)

  test.each(everyOperation)('of $id is refused', async (operation) => {
    for (const variable of variablesOf(operation)) {
      await forEach(hostile.filter(Boolean), async (value) => {
        const request = await requestOf(service, operation, { [variable]: value.toWellFormed() })
        const { status } = await send(service, request, { key: keys.admin })
        expect([request.path, status >= 400 && handled(status)]).toEqual([request.path, true])
      })
    }
  })
})
