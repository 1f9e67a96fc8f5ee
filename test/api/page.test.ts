import { Refusal } from '@embed-access/core/refusal.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { pageIf } from '../../functions/http/page.ts'

const storage = { client: {}, tables: {} } as Storage

test('A refusal does not wait for the page, whose time would tell what there is', async () => {
  const refusal = new Refusal('deployment_not_found')
  await expect(pageIf(storage, Promise.reject(refusal), () => new Promise(() => {}))).rejects.toBe(refusal)
  await expect(pageIf(storage, Promise.reject(refusal), () => Promise.reject(new Error('also')))).rejects.toBe(refusal)
})
