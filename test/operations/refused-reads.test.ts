import { recentLookups } from '@embed-access/core/access/recent-lookups.ts'
import { expect, test } from 'vitest'
import type { OperationHandler } from '../../functions/http/operation.ts'
import { takesDeployment } from '../../openapi/operation.ts'
import { admin, world } from '../support/service.ts'
import { everyOperation, isList, itemsOfEveryList, variables } from './requests.ts'

const service = world(itemsOfEveryList(60))

const principal = { ...admin, accountId: 'other' }

/**
 * Calls a list, whose reads all take longer than the one of the deployment.
 * @returns the code of the answer, and what has been read once nothing is under way any more
 */
async function readsOf({ id }: (typeof everyOperation)[number], deploymentId: number) {
  const read = { calls: 0, bytes: 0 }
  const underWay = new Set<Promise<unknown>>()
  const refused = Promise.withResolvers<void>()
  const { client } = service.storage
  const name = `reads of ${id} in ${deploymentId}`
  client.middlewareStack.add(
    (next) => (args) => {
      const isOfDeployment = JSON.stringify(args.input).includes('"deployment#')
      const call = (isOfDeployment ? Promise.resolve() : refused.promise).then(async () => {
        const result = await next(args)
        read.calls += 1
        read.bytes += JSON.stringify(result.output).length
        return result
      })
      underWay.add(call)
      call.catch(() => {}).finally(() => underWay.delete(call))
      return call
    },
    { step: 'initialize', name },
  )
  const parts = {
    issuer: service.issuer,
    log: () => {},
    now: () => service.now,
    storage: service.storage,
    recent: recentLookups(() => service.now),
  }
  const { handler } = (await import(`../../functions/${id}.ts`)) as {
    handler: OperationHandler<typeof parts>
  }
  const event = {
    rawQueryString: '',
    pathParameters: { ...variables, deploymentId: String(deploymentId) },
    headers: {},
    requestContext: {
      requestId: 'r',
      http: {},
      authorizer: { lambda: { allowed: true, principal } },
    },
  }
  const { body = '' } = await handler.create(parts)(event as never, {} as never)
  refused.resolve()
  while (underWay.size > 0) await Promise.allSettled(underWay)
  client.middlewareStack.remove(name)
  return { code: JSON.parse(body).code, ...read }
}

test.each(everyOperation.filter((each) => isList(each) && takesDeployment(each.input)))(
  '$id reads of another account’s deployment, as of none, the deployment alone',
  async (operation) => {
    const [foreign, unknown] = [await readsOf(operation, 1), await readsOf(operation, 4_242)]
    expect([foreign.code, unknown.code]).toEqual(['deployment_not_found', 'deployment_not_found'])
    expect([foreign.calls, unknown.calls]).toEqual([1, 1])
    // The item of the other account's deployment is read, and nothing that is in it.
    expect(foreign.bytes).toBeLessThan(1000)
  },
)
