import { apiKeyUses } from '@embed-access/core/access/api-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { expect, test } from 'vitest'
import { startOfTime } from '../support/service.ts'

type Send = (command: { input: { Item: { pk: string } } }, options: { abortSignal: AbortSignal }) => Promise<unknown>

const storageOf = (send: Send) => ({ client: { send }, tables: { credentials: 'credentials' } }) as unknown as Storage
const keyOf = (number: number) => ({ tokenHash: String(number), accountId: 'acme' })

test('The uses of 10,000 API keys are remembered, and forgotten with one key more', async () => {
  let writes = 0
  const storage = storageOf(async () => (writes += 1))
  const storeUse = apiKeyUses()
  for (let number = 0; number < 10_000; number += 1) await storeUse(storage, keyOf(number), startOfTime)
  await storeUse(storage, keyOf(0), startOfTime)
  expect(writes).toBe(10_000)
  await storeUse(storage, keyOf(10_000), startOfTime)
  await storeUse(storage, keyOf(0), startOfTime)
  await storeUse(storage, keyOf(10_000), startOfTime)
  expect(writes).toBe(10_002)
})

test('The use of an API key is given up when the database does not answer', async () => {
  const silent = storageOf(
    (_, { abortSignal }) =>
      new Promise((_, reject) => abortSignal.addEventListener('abort', () => reject(abortSignal.reason))),
  )
  await expect(apiKeyUses()(silent, keyOf(1), startOfTime)).rejects.toMatchObject({ name: 'TimeoutError' })
})
