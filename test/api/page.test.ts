import { Refusal } from '@embed-access/core/refusal.ts'
import { expect, test } from 'vitest'
import { pageIf } from '../../functions/http/page.ts'

test('A refusal does not wait for the page, whose time would tell what there is', async () => {
  const refusal = new Refusal('deployment_not_found')
  await expect(pageIf(Promise.reject(refusal), new Promise(() => {}))).rejects.toBe(refusal)
  await expect(pageIf(Promise.reject(refusal), Promise.reject(new Error('also')))).rejects.toBe(refusal)
})
