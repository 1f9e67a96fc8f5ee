import { exportCatalog } from '@embed-access/core/catalog/export.ts'
import { differences } from '@embed-access/core/catalog/reconcile.ts'
import { parseJson } from '@embed-access/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyingTo, importFile } from '../../cli/catalog/importing.ts'
import { handler as sync } from '../../functions/catalog-sync.ts'
import { deliver } from '../feed/deliver.ts'
import { allEmbedUsers, keys, share, world } from '../support/service.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'

/**
 * A number as its digits and their exponent, so that equal numbers have equal texts: 1.50 is
 * `15e-1`.
 */
function exactly(literal: string): string {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ??
    expect.fail(`${literal} is no number`)
  let digits = BigInt(integer + fraction)
  if (digits === 0n) return '0'
  let scale = Number(exponent) - fraction.length
  for (; digits % 10n === 0n; scale += 1) digits /= 10n
  return `${sign}${digits}e${scale}`
}

/** The number that a field has in JSON, or in text in JSON. */
const numberAt = (name: string, json: string): string =>
  exactly(new RegExp(`"${name}":"?([-+.\\deE]+)`).exec(json)?.[1] ?? `${name} in ${json}`)

const edges = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '123456789012345.6',
  '1e300',
  '0.1',
  '0.10000000000000001',
  '0.30000000000000004',
  '1.7976931348623157e308',
  '5e-324',
  '-0',
  '-0.0',
  '0e9',
  '1e400',
  '-1e400',
  '1e-400',
]
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 24 })
const exponents = fc.integer({ min: -340, max: 340 })

/** Numbers in all ways to write them in JSON. */
const literals = fc.oneof(
  fc.constantFrom(...edges),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      digits.map((integer) => integer.replace(/^0+(?=\d)/, '')),
      fc.option(digits).map((fraction) => (fraction === null ? '' : `.${fraction}`)),
      fc.option(exponents).map((exponent) => (exponent === null ? '' : `e${exponent}`)),
    )
    .map((parts) => parts.join('')),
)

/** Other numbers than these are no numbers to many parsers. */
const isInRange = (literal: string) => Number.isFinite(Number(literal))

describe('a number', () => {
  const service = world()
  const directory = temporaryDirectory()

  /** Each way in, with the pointers of what it refuses of a change. */
  const doors: Readonly<Record<string, (change: string) => Promise<string[]>>> = {
    async 'in a file'(change) {
      const path = await fileIn(directory, 'catalog.ndjson', [change])
      const refused: string[] = []
      // line 1: POINTER …
      const tell = ({ text }: { readonly text: string }) =>
        refused.push(text.split(' ')[2] as string)
      await importFile(applyingTo(service.storage), path, { err: { write: () => {} }, tell })
      return refused
    },
    async 'by the queue'(change) {
      const dead: string[] = []
      const handler = sync.create({
        storage: service.storage,
        issuer: service.issuer,
        now: () => service.now,
        log: () => {},
        async deadLetters(letters) {
          dead.push(...letters.flatMap(({ reason = '' }) => reason.split('; ')))
          for (const { body } of letters) expect(numbersOf(body)).toEqual(numbersOf(change))
          return { isSent: letters.map(() => true) }
        },
      })
      await deliver(handler, [`{"changes":[${change}]}`], 60_000)
      return dead.map((reason) => reason.split(' ')[0] as string)
    },
  }

  /** Fields of a workbook that may have any number, with the name that it has there. */
  const places: readonly (readonly [
    pointer: string,
    name: string,
    field: (number: string) => string,
  ])[] = [
    ['/data/meta/list/1/a', 'a', (number) => `"meta":{"list":[1,{"a":${number}}]}`],
    ['/data/calculatedFields/b', 'b', (number) => `"calculatedFields":{"b":${number}}`],
    [
      '/data/dashboardDraft/settings/c',
      'c',
      (number) => `"dashboardDraft":{"settings":{"c":${number}}}`,
    ],
    [
      '/data/dashboardPublished/theme/d',
      'd',
      (number) => `"dashboardPublished":{"theme":{"d":${number}}}`,
    ],
    ['/data/userId', 'userId', (number) => `"userId":${number}`],
  ]
  const numbersOf = (json: string) => places.map(([, name]) => numberAt(name, json))

  test.each(Object.entries(doors))(
    '%s goes out as the same number, or is refused by its place',
    async (_, send) => {
      let shown = 0
      const numbers = fc.array(literals, { minLength: places.length, maxLength: places.length })
      await fc.assert(
        fc.asyncProperty(numbers, async (given) => {
          const deploymentId = await service.newDeployment((at) => [
            share(at, 'workbook', 1, allEmbedUsers),
            share(at, 'workbook', 1, { type: 'embedTenant', name: 'north' }),
          ])
          const fields = places.map(([, , field], index) => field(given[index] as string))
          const own = `"id":1,"deploymentId":${deploymentId},"name":"N","type":"REPORT"`
          const times = '"createdAt":"2026-01-01","updatedAt":"2026-01-01"'
          const change = `{"kind":"workbook","revision":1,"data":{${[own, times, ...fields]}}}`
          const expected = places.flatMap(([pointer], index) =>
            isInRange(given[index] as string) ? [] : [pointer],
          )
          expect((await send(change)).toSorted()).toEqual(expected.toSorted())

          const path = `/api/v1/deployments/${deploymentId}/embed-tenants/north/workbooks`
          const { text } = await service.get(path, { key: keys.admin })
          if (expected.length > 0) {
            expect(text).toMatch(/^{"items":\[\]/)
            return
          }
          shown += 1
          expect(numbersOf(text)).toEqual(numbersOf(change))
          const lines = await Array.fromAsync(exportCatalog(service.storage))
          const exported = lines.find((line) => line.includes(own.slice(0, own.indexOf(',"name"'))))
          expect(numbersOf(exported ?? '')).toEqual(numbersOf(change))
          async function* dump() {
            yield { number: 1, change: parseJson(change) }
          }
          const { others } = await differences(service.storage, dump, () => {}, deploymentId)
          expect(await Array.fromAsync(others)).toEqual([])
        }),
        { numRuns: 15 },
      )
      expect(shown).toBeGreaterThan(0)
    },
  )

  test('in a notification goes out as the same number, in a filter as text', async () => {
    await fc.assert(
      fc.asyncProperty(literals, literals, async (value, flag) => {
        const deploymentId = await service.newDeployment()
        const filters = `[{"value":${value},"caseSensitive":${flag}}]`
        const fields = `"id":1,"deploymentId":${deploymentId},"createdAt":"2026-01-01"`
        const change = `{"kind":"notification","data":{${fields},"filters":${filters}}}`
        const given = { value, caseSensitive: flag }
        const places = Object.entries(given).flatMap(([name, number]) =>
          isInRange(number) ? [] : [name],
        )
        const expected = places.map((name) => `/data/filters/0/${name}`)
        expect(await doors['in a file']?.(change)).toEqual(expected)
        if (expected.length > 0) return
        const { text } = await service.get(`/api/v1/deployments/${deploymentId}/notifications`, {
          key: keys.admin,
        })
        const lines = await Array.fromAsync(exportCatalog(service.storage))
        const exported = lines.find((line) =>
          line.includes(`{"id":1,"deploymentId":${deploymentId},`),
        )
        for (const json of [text, exported ?? '']) {
          for (const [name, number] of Object.entries(given))
            expect(numberAt(name, json)).toBe(exactly(number))
        }
      }),
      { numRuns: 15 },
    )
  })

  test('in a session is the same number in the token, or is refused', async () => {
    const reaches = (literal: string) =>
      exactly(literal) === exactly(String(Number(literal)).replace(/-?Infinity/, '0')) &&
      (Number.isSafeInteger(Number(literal)) || !Number.isInteger(Number(literal)))
    const isStored = (literal: string) =>
      Number(literal) === 0 || Math.abs(Number(literal)) >= 1e-130
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(literals, literals, async (inAttribute, inContext) => {
        const attributes = `"userAttributes":[{"name":"a","value":${inAttribute}}]`
        const context = `"securityContext":{"a":[{"b":${inContext}}]}`
        const body = `{"deploymentId":1,${attributes},${context},"groupDefinitions":[1e400]}`
        const path = '/api/v1/embed/generate-session?dryRun=true'
        const { status, text, body: answer } = await service.post(path, { key: keys.admin, body })
        const expected = [
          ...(reaches(inAttribute) && isStored(inAttribute) ? [] : ['/userAttributes/0/value']),
          ...(reaches(inContext) ? [] : ['/securityContext/a/0/b']),
        ]
        const pointers = (answer.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)
        expect([status, pointers]).toEqual([expected.length === 0 ? 200 : 400, expected])
        if (status !== 200) return
        accepted += 1
        expect(['value', 'b'].map((name) => numberAt(name, text))).toEqual([
          exactly(inAttribute),
          exactly(inContext),
        ])
      }),
      { numRuns: 100 },
    )
    expect(accepted).toBeGreaterThan(0)
  })
})
