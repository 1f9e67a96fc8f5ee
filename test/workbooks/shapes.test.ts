import { randomBytes } from 'node:crypto'
import { documentBytes, pack, unpackPage } from '@embed-access/core/storage/document.ts'
import { describe, expect, inject, test } from 'vitest'
import { functionsOver } from '../pages/measure.ts'
import { metered } from '../support/counting.ts'
import {
  embedTenant,
  folder,
  keys,
  people,
  put,
  share,
  workbook,
  world,
} from '../support/service.ts'
import { range } from './range.ts'

const north = embedTenant('north')

/** Catalogs that are hard on the list. */
describe('a list of workbooks', () => {
  const service = world([...people, put('embedTenant', { accountId: 'acme', name: 'north' })])

  test.each(['folder', 'tenant'] as const)(
    'of the largest workbooks ends before 5 MiB and goes on where it ended (%s)',
    async (source) => {
      const text = range(20).map(() => randomBytes(280_000).toString('base64'))
      const at = await service.newDeployment((at) => [
        folder(at, 1, null),
        source === 'folder' ? share(at, 'folder', 1, north) : folder(at, 2, null),
        ...text.map((text, index) => workbook(at, 10 + index, { folderId: 1, meta: { text } })),
        ...(source === 'tenant'
          ? text.map((_, index) => share(at, 'workbook', 10 + index, north))
          : []),
      ])
      const seen: number[] = []
      let after = ''
      do {
        const list = `/api/v1/deployments/${at}/embed-tenants/north/workbooks`
        const path = `${list}?accessSource=${source}${after}`
        const reply = await service.get(path, { key: keys.admin })
        expect(Buffer.byteLength(reply.text)).toBeLessThan(5.01 * 1024 * 1024)
        for (const { id, meta } of reply.body.items) expect(meta.text === text[id - 10]).toBe(true)
        seen.push(...reply.body.items.map(({ id }: { id: number }) => id))
        after = reply.body.pageInfo.hasNextPage ? `&after=${reply.body.pageInfo.endCursor}` : ''
      } while (after)
      expect(seen).toEqual(range(20, 10))
      // It reads less than twice what a page can send.
      const { storage, measure } = metered(service.storage.tables, inject('engineEndpoint'))
      const query = { accessSource: source }
      const read = functionsOver(storage)
      const [{ bytes, capacity }] = await measure(() =>
        read({ list: 'list-embed-tenant-workbooks', query, deploymentId: at }),
      )
      storage.client.destroy()
      expect(Math.max(bytes, capacity * 4096)).toBeLessThan(2 * 5 * 1024 * 1024)
    },
  )

  test('of workbooks that compress a thousandfold inflates no more than a page can hold', () => {
    const large = pack(JSON.stringify({ text: 'a'.repeat(4_000_000) }))
    const small = pack(JSON.stringify({ text: 'small'.repeat(1000) }))
    expect(documentBytes(large)).toBeLessThan(10_000)
    const texts = unpackPage([small, ...Array.from({ length: 60 }, () => large)])
    expect(texts.map((text) => text.length)).toEqual([5011, 4_000_011, 4_000_011])
  })
})
