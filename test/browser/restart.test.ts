import { afterAll, beforeAll, expect, test } from 'vitest'
import { started } from '../support/command.ts'
import { visits } from './visit.ts'

let service: Awaited<ReturnType<typeof started>>

beforeAll(async () => {
  service = await started()
})
afterAll(() => service?.end())

const { open } = visits(() => service.url)

test('a token is verified with the keys of a service that has started again', async () => {
  const page = await open()
  async function redeem(): Promise<void> {
    await page.getByRole('button', { name: 'Generate the session' }).click()
    await page.locator('#redeem-exchange:empty').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Redeem the session' }).click()
    await page.locator('#token .token').waitFor()
    expect(await page.locator('#token .badge').textContent()).toBe('Verified')
  }
  await redeem()
  await service.end()
  service = await started('--port', new URL(service.url).port)
  await redeem()
})
