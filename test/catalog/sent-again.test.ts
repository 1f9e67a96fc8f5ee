import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { everyOperation, isList, requestOf, send } from '../operations/requests.ts'
import { outcomesOf, sentBy } from '../support/database.ts'
import { keptDecisions, put, revised, userKey, userOf, world } from '../support/service.ts'
import { samples } from './samples.ts'

describe('a thing of any kind', () => {
  const key = 'sk-test-watching'
  const all = Object.entries(samples).flatMap(([kind, things]) =>
    things.map((data) => put(kind, data)),
  )
  const service = world(
    [
      ...all.map((change) => revised(1, change)),
      userOf('acme', 9, 'watching@acme.example', { roles: ['admin'] }),
      userKey('acme', 9, key),
    ],
    { ...keptDecisions, isInMemory: true },
  )

  /** Every list, and that of notifications by recipient and dashboard. */
  async function seen(): Promise<unknown[][]> {
    const recipients = [
      'recipientUserId=2',
      'recipientEmbedTenantName=south&recipientExternalId=x%23y',
    ]
    const filtered = recipients
      .flatMap((recipient) => [recipient, `${recipient}&dashboardId=71`])
      .map((query) => ({
        method: 'GET' as const,
        path: `/api/v1/deployments/1/notifications?${query}`,
      }))
    const lists = everyOperation
      .filter(isList)
      .map((each) => requestOf(service, each, { workbookId: 5 }))
    const requests = [...(await Promise.all(lists)), ...filtered]
    const replies = await Promise.all(requests.map((request) => send(service, request, { key })))
    return replies.map(({ body }) => body.items)
  }

  test('stays in its lists at each step when it is sent with a higher revision', async () => {
    const before = await seen()
    expect(before.filter((items) => items.length === 0)).toEqual([])
    const changed = new Set<string>()
    for (const change of all) {
      const watched = sentBy(service.storage, async (command, on) => {
        const answer = await on(command)
        const isWrite = /Put|Update|Transact/.test(command.constructor.name)
        if (isWrite && !isDeepStrictEqual(await seen(), before)) changed.add(change.kind)
        return answer
      })
      expect(await outcomesOf(watched, [revised(2, change)])).toEqual(['applied'])
    }
    expect([...changed]).toEqual([])
  })
})
