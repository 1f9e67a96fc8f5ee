import { describe, expect, test } from 'vitest'
import { asksAuthorizer } from '../../functions/operations/operations.ts'
import { takesDeployment } from '../../openapi/operation.ts'
import { keys, type Reply, world } from '../support/service.ts'
import {
  credentialFor,
  embedToken,
  everyOperation,
  isList,
  itemsOfEveryList,
  type KnownOperation,
  type Request,
  requestAbout,
  requestOf,
  send,
} from './requests.ts'

/** More than a page may have. */
const itemCount = 205

const service = world(itemsOfEveryList(itemCount))

const ofCode = ({ status, body }: Reply) => [status, body?.code]
const ofDeployments = everyOperation.filter(({ input }) => takesDeployment(input))
const lists = everyOperation.filter(isList)

/** A request in which only the route is right. */
const malformed = ({ method, path }: KnownOperation): Request => ({
  method,
  path: `${path.replaceAll(/\{\w+\}/g, '!')}?first=0&after=`,
  ...(method === 'POST' && { body: { sessionId: 1 } }),
})

test('every operation about a deployment needs a credential', () => {
  expect(ofDeployments.filter(({ access }) => access === 'public')).toEqual([])
})

test('an operation is named a list if it takes the size of a page and has items', async () => {
  for (const operation of everyOperation) {
    const { body } = await send(service, await requestOf(service, operation), await credentialFor(service, operation))
    const named = operation.id.startsWith('list-')
    const takesSize = 'first' in (operation.input.query ?? {})
    const advice = `Write in test/operations/requests.ts, at \`items\`, what gives ${operation.id} an item.`
    expect([operation.id, takesSize, (body?.items ?? []).length > 0], advice).toEqual([operation.id, named, named])
  }
})

// That it refuses each of them a request that is right, is in the table of isolation.ts.
test.each(everyOperation.filter(asksAuthorizer))(
  '$id refuses who may not call it before it looks at the request',
  async (operation) => {
    const call = await embedToken(service, { externalId: 'u-1', roles: ['admin'] })
    expect(ofCode(await send(service, malformed(operation), call))).toEqual([403, 'end_user'])
    if (operation.access !== 'admin') return
    expect(ofCode(await send(service, malformed(operation), { key: keys.reader }))).toEqual([403, 'admin_required'])
  },
)

test.each(ofDeployments)(
  '$id answers about a deployment of another account as about none, word for word',
  async (operation) => {
    for (const [key, theirs] of [
      [keys.otherAdmin, 1],
      [keys.admin, 9],
    ] as const) {
      const foreign = await send(service, await requestAbout(service, operation, theirs), { key })
      const unknown = await send(service, await requestAbout(service, operation, 4_242), { key })
      expect(ofCode(foreign)).toEqual([404, 'deployment_not_found'])
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    }
  },
)

describe.each(lists)('$id', (operation) => {
  const page = async (first: number, deploymentId = 1) => {
    const request = await requestAbout(service, operation, deploymentId)
    return send(service, { ...request, path: `${request.path}?first=${first}` }, { key: keys.admin })
  }

  test('has at most 200 items on a page, however many are asked for', async () => {
    for (const first of [200, 201, 1000, Number.MAX_SAFE_INTEGER]) {
      const { items, pageInfo } = (await page(first)).body
      expect([first, items.length, pageInfo.hasNextPage]).toEqual([first, 200, true])
    }
  })

  test('shows in one deployment nothing of another', async () => {
    const { status, body } = await page(200, 2)
    expect(status === 404 ? [] : body.items).toEqual([])
  })
})
