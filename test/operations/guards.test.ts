import { describe, expect, test } from 'vitest'
import { operations } from '../../functions/operations/operations.ts'
import { takesDeployment } from '../../openapi/operation.ts'
import { keys, type Reply, world } from '../support/service.ts'
import {
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
const withCredential = everyOperation.filter(({ access }) => access !== 'public')
const ofAdmins = everyOperation.filter(({ access }) => access === 'admin')
const ofDeployments = everyOperation.filter(({ input }) => takesDeployment(input))
const lists = everyOperation.filter(isList)

/** A request in which only the route is right. */
const malformed = ({ method, path }: KnownOperation): Request => ({
  method,
  path: `${path.replaceAll(/\{\w+\}/g, '!')}?first=0&after=`,
  ...(method === 'POST' && { body: { sessionId: 1 } }),
})

async function embedToken(request: object): Promise<string> {
  const body = { deploymentId: 1, ...request }
  const session = await service.post(operations['generate-session'].path, { key: keys.admin, body })
  return (await service.post(operations['exchange-session'].path, { body: session.body })).body.token
}

describe.each(everyOperation)('$id', (operation) => {
  test('answers an admin who asks for what is there', async () => {
    const reply = await send(service, await requestOf(service, operation), { key: keys.admin })
    expect(reply.status, reply.text).toBeOneOf([200, 204])
    if (isList(operation)) expect(reply.body.items).not.toEqual([])
  })

  test('needs a credential if it is about a deployment', () => {
    if (takesDeployment(operation.input)) expect(operation.access).not.toBe('public')
  })

  test('is named a list, takes the size of a page and answers with items, or does nothing of this', async () => {
    const { body } = await send(service, await requestOf(service, operation), { key: keys.admin })
    const named = operation.id.startsWith('list-')
    expect(['first' in (operation.input.query ?? {}), body?.items !== undefined]).toEqual([named, named])
  })
})

describe.each(withCredential)('$id', (operation) => {
  test('leaves a request without a credential to the gateway', async () => {
    const { status, body } = await send(service, await requestOf(service, operation))
    expect([status, body]).toEqual([401, { message: 'Unauthorized' }])
  })

  test('refuses a credential that nobody has, and says so', async () => {
    const request = await requestOf(service, operation)
    for (const call of [{ key: 'sk-test-nobody' }, { authorization: keys.admin }]) {
      const reply = await send(service, request, call)
      expect([...ofCode(reply), reply.headers.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Bearer'])
    }
  })

  test('is open to an internal user’s embed token, unless only backends may call it', async () => {
    const authorization = `Bearer ${await embedToken({ internalId: 'ada' })}`
    const { status } = await send(service, await requestOf(service, operation), { authorization })
    expect(operation.access === 'backend' ? [403] : [200, 204]).toContain(status)
  })

  test('refuses an end user’s embed token, before it looks at the request', async () => {
    const authorization = `Bearer ${await embedToken({ externalId: 'u-1', roles: ['admin'] })}`
    for (const request of [await requestOf(service, operation), malformed(operation)]) {
      expect(ofCode(await send(service, request, { authorization }))).toEqual([403, 'end_user'])
    }
  })
})

describe.each(ofAdmins)('$id', (operation) => {
  test('refuses a user who may read the deployment and is no admin', async () => {
    for (const request of [await requestOf(service, operation), malformed(operation)]) {
      expect(ofCode(await send(service, request, { key: keys.reader }))).toEqual([403, 'admin_required'])
    }
  })
})

describe.each(ofDeployments)('$id', (operation) => {
  test('answers about a deployment of another account as about one that is not there, word for word', async () => {
    for (const [key, theirs] of [
      [keys.otherAdmin, 1],
      [keys.admin, 9],
    ] as const) {
      const foreign = await send(service, await requestAbout(service, operation, theirs), { key })
      const unknown = await send(service, await requestAbout(service, operation, 4_242), { key })
      expect(ofCode(foreign)).toEqual([404, 'deployment_not_found'])
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    }
  })

  test('refuses a credential without access to the deployment', async () => {
    const request = await requestAbout(service, operation, 1)
    const outside = [keys.scopedAdmin, ...(operation.access !== 'admin' ? [keys.stranger] : [])]
    for (const key of outside) {
      expect(ofCode(await send(service, request, { key }))).toEqual([403, 'deployment_forbidden'])
    }
  })
})

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
