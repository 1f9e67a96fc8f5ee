import type { Server } from 'node:http'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { createAdaptorServer } from '@hono/node-server'
import { beforeAll, expect, test } from 'vitest'
import {
  folderChange,
  type Outbox,
  publish,
  toLocalServer,
} from '../../examples/outbox/publisher.ts'
import { CatalogQueue, catalogChanges, catalogChangesPath } from '../../local/catalog-queue.ts'
import { localApp } from '../../local/local-app.ts'
import { acmeGroup } from '../support/catalog.ts'
import { exported, newTables, now } from '../support/database.ts'
import { listening } from '../support/temporary.ts'

let storage: Storage
let queue: CatalogQueue
let url: string

beforeAll(async () => {
  storage = await newTables()
  queue = new CatalogQueue({ storage, now: () => now, issuer: 'https://embed.test', log: () => {} })
  const app = localApp().route(catalogChangesPath, catalogChanges(queue))
  const server = await listening(createAdaptorServer(app) as Server)
  url = server.url + catalogChangesPath
  return server.end
})

/** A table of one column and its id. */
function outboxOf(
  changes: readonly string[],
): Outbox & { readonly rows: { id: number; change: string }[] } {
  const rows = changes.map((change, index) => ({ id: index + 1, change }))
  return {
    rows,
    oldest: async (limit) => rows.slice(0, limit),
    async remove(ids: readonly unknown[]) {
      rows.splice(0, rows.length, ...rows.filter(({ id }) => !ids.includes(id)))
    },
  }
}

const row = (id: number, version: number, more: object = {}) =>
  folderChange({
    deployment_id: 1,
    id,
    name: `Folder ${version}`,
    parent_id: null,
    version,
    deleted: false,
    ...more,
  })

/** So large that a message takes fewer than a hundred. */
const large = (id: number) => JSON.stringify(acmeGroup(`g${id}`, { description: 'x'.repeat(5000) }))

const noneTooLarge = () => expect.unreachable()

test('the example of an outbox sends every change, in messages that the queue takes', async () => {
  const outbox = outboxOf([
    ...Array.from({ length: 110 }, (_, id) => row(id, 1)),
    ...Array.from({ length: 110 }, (_, id) => row(id, 2)),
    ...Array.from({ length: 60 }, (_, id) => large(id)),
    ...Array.from({ length: 40 }, (_, id) => row(id, 3, { deleted: true })),
  ])
  expect(await publish(outbox, toLocalServer(url), noneTooLarge)).toBe(320)
  expect(outbox.rows).toEqual([])
  await queue.idle()
  const lines = (await exported(storage))
    .map((line) => JSON.parse(line) as { op?: string; revision: number; data: { id: number } })
    .filter(({ data }) => data.id < 110)
  expect(lines.filter(({ op, revision }) => op === 'delete' && revision === 3)).toHaveLength(40)
  expect(lines.filter(({ op, revision }) => op === undefined && revision === 2)).toHaveLength(70)
  expect(queue.deadLetters).toEqual([])
})

test('a publisher that stops after it has sent loses nothing and changes nothing', async () => {
  const outbox = outboxOf([row(900, 1), row(900, 2)])
  const stopping = { ...outbox, remove: () => Promise.reject(new Error('stopped')) }
  await expect(publish(stopping, toLocalServer(url), noneTooLarge)).rejects.toThrow('stopped')
  expect(outbox.rows).toHaveLength(2)
  expect(await publish(outbox, toLocalServer(url), noneTooLarge)).toBe(2)
  await queue.idle()
  const [line, ...others] = (await exported(storage)).filter((line) => line.includes('"id":900,'))
  expect(others).toEqual([])
  expect(JSON.parse(line as string)).toMatchObject({ revision: 2, data: { name: 'Folder 2' } })
})

test('what the queue does not take stays in the outbox', async () => {
  const outbox = outboxOf([row(901, 1)])
  await expect(publish(outbox, toLocalServer(`${url}/nowhere`), noneTooLarge)).rejects.toThrow(
    '404',
  )
  expect(outbox.rows).toHaveLength(1)
})

test('a change that no message can hold is put aside, and holds up no other', async () => {
  const outbox = outboxOf([row(902, 1), row(902, 2, { name: 'x'.repeat(2 ** 20) }), row(903, 1)])
  const aside: string[] = []
  const put = async (change: string) => void aside.push(change)
  expect(await publish(outbox, toLocalServer(url), put)).toBe(2)
  expect([outbox.rows, aside.length, JSON.parse(aside[0] as string).revision]).toEqual([[], 1, 2])
})

test('a letter that SQS refuses holds up no change', async () => {
  const name = 'a\uffffb\ufffec'
  const outbox = outboxOf([row(904, 1, { name }), row(905, 1)])
  expect(await publish(outbox, toLocalServer(url), noneTooLarge)).toBe(2)
  await queue.idle()
  const [line] = (await exported(storage)).filter((line) => line.includes('"id":904,'))
  expect(JSON.parse(line as string)).toMatchObject({ data: { name } })
})

test('a row whose numbers are texts, as node-postgres gives them, is the same change', () => {
  const asText = row(0, 0, { deployment_id: '1', id: '7', parent_id: '3', version: '5' })
  const { revision, data } = JSON.parse(asText)
  expect([revision, data]).toEqual([
    5,
    expect.objectContaining({ deploymentId: 1, id: 7, parentId: 3 }),
  ])
})
