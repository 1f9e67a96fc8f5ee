import { expect, test } from 'vitest'
import { takesDeployment } from '../../openapi/operation.ts'
import { keptDecisions, keys, world } from '../support/service.ts'
import {
  credentialFor,
  everyOperation,
  isList,
  itemsOfEveryList,
  requestOf,
  send,
} from './requests.ts'

/** More than a page may have. */
const itemCount = 205

const service = world(itemsOfEveryList(itemCount), { ...keptDecisions, isInMemory: true })

const ofDeployments = everyOperation.filter(({ input }) => takesDeployment(input))

test('every operation about a deployment needs a credential', () => {
  expect(ofDeployments.filter(({ access }) => access === 'public')).toEqual([])
})

test('an operation is named a list if it takes the size of a page and has items', async () => {
  for (const operation of everyOperation) {
    const { body } = await send(
      service,
      await requestOf(service, operation),
      await credentialFor(service, operation),
    )
    const named = operation.id.startsWith('list-')
    const takesSize = 'first' in (operation.input.query ?? {})
    const advice = `Say in test/operations/requests.ts (\`items\`) what gives ${operation.id} one.`
    expect([operation.id, takesSize, (body?.items ?? []).length > 0], advice).toEqual([
      operation.id,
      named,
      named,
    ])
  }
})

test.each(ofDeployments)(
  '$id answers about a deployment of another account as about none, word for word',
  async (operation) => {
    for (const [key, theirs] of [
      [keys.otherAdmin, 1],
      [keys.admin, 9],
    ] as const) {
      const foreign = await send(
        service,
        await requestOf(service, operation, { deploymentId: theirs }),
        { key },
      )
      const unknown = await send(
        service,
        await requestOf(service, operation, { deploymentId: 4_242 }),
        { key },
      )
      expect([foreign.status, foreign.body.code]).toEqual([404, 'deployment_not_found'])
      const wordsOf = (body: object, id: number) =>
        JSON.stringify({ ...body, requestId: '' }).replaceAll(`deployment ${id}`, 'deployment N')
      expect(wordsOf(foreign.body, theirs)).toBe(wordsOf(unknown.body, 4_242))
      expect(unknown.body.detail).toBe('There is no deployment 4242.')
    }
  },
)

test.each(everyOperation.filter(isList))(
  '$id has at most 200 items on a page, however many are asked for',
  async (operation) => {
    const { path } = await requestOf(service, operation)
    for (const first of [200, 201, 1000, Number.MAX_SAFE_INTEGER]) {
      const { items, pageInfo } = (await service.get(`${path}?first=${first}`, { key: keys.admin }))
        .body
      expect([first, items.length, pageInfo.hasNextPage]).toEqual([first, 200, true])
    }
  },
)
