import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { put } from '../support/catalog.ts'
import { started } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { visits } from './visit.ts'

const directory = temporaryDirectory()
let service: Awaited<ReturnType<typeof started>>

beforeAll(async () => {
  const user = {
    accountId: 'own',
    id: 1,
    email: 'me@own.example',
    roles: ['admin'],
    deploymentIds: 'all',
  }
  const changes = [
    put('account', { id: 'own', name: 'Own', embeddingEnabled: true }),
    put('deployment', { accountId: 'own', id: 5, name: 'Five' }),
    put('user', user),
    put('embedTenant', { accountId: 'own', name: 'north' }),
    put('apiKey', { accountId: 'own', userId: 1, name: 'k', tokenHash: hashOfApiKey('sk-own') }),
  ]
  const file = join(directory, 'own.ndjson')
  await writeFile(file, changes.map((change) => JSON.stringify(change)).join('\n'))
  service = await started('--catalog', file)
})
afterAll(() => service?.end())

const { open } = visits(() => service.url)

test('with your own catalog you type the key, and choose deployments and tenants', async () => {
  const page = await open()
  expect(await page.getByLabel('API key').isVisible()).toBe(false)
  expect(await page.getByLabel('Deployment').inputValue()).toBe('5')
  expect(await page.locator('#embed-tenants option').getAttribute('value')).toBe('north')

  await page.getByRole('button', { name: 'Generate the session' }).click()
  const answer = page.locator('#generate-answer')
  await answer.getByText('Type an API key or token above.').waitFor()
  await answer.getByRole('button', { name: 'Make a key' }).waitFor()
  await page.getByLabel('Key or token of your own').fill('sk-own')
  await page.getByLabel('External id').first().fill('someone')
  await page.getByRole('button', { name: 'Generate the session' }).click()
  await page.locator('#generate-answer .badge.good').waitFor()
})

test('what is typed for an embed tenant is completed with those that came since', async () => {
  const page = await open()
  const offered = page.locator('#embed-tenants option[value=zephyr-sea]')
  const tenant = page.getByLabel('Embed tenant').first()
  await page.getByLabel('Key or token of your own').fill('sk-own')
  // Asked before the session makes the tenant, which the answer would then have.
  const asked = page.waitForResponse((response) => response.url().includes('search=zephyr-sea'))
  await tenant.fill('zephyr-sea')
  await asked
  await page.getByRole('button', { name: 'Generate the session' }).click()
  await page.locator('#generate-answer .badge.good').waitFor()
  expect(await offered.count()).toBe(0)
  await tenant.fill('Zephyr-')
  await offered.waitFor({ state: 'attached' })
  await page.getByLabel('Key or token of your own').fill('sk-nobody')
  await offered.waitFor({ state: 'detached' })
  expect(await page.locator('#embed-tenants option[value=north]').count()).toBe(1)
})

test('an account and a user are picked by name, and a key is made for them', async () => {
  const page = await open()
  expect(await page.getByLabel('Account', { exact: true }).inputValue()).toBe('own')
  expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe('me@own.example')
  expect(await page.locator('#own-user-hint').textContent()).toBe('User 1, an admin')
  await page.getByLabel('User', { exact: true }).fill('nobody')
  const make = page.locator('#caller').getByRole('button', { name: 'Make a key' })
  await make.click()
  await page.locator('#own-key-hint').getByText('The account has no user nobody.').waitFor()
  await page.getByLabel('User', { exact: true }).fill('ME@own.example')
  await make.click()
  await page
    .locator('#own-key-hint')
    .getByText('Made a key of ME@own.example. It ends in a day.')
    .waitFor()
  await page.getByRole('link', { name: 'dbt syncs' }).click()
  await page.locator('#syncs').getByText('0 syncs').waitFor()
})

test('a list says what is missing, and calls nothing', async () => {
  const page = await open('workbooks')
  const calls: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
  await page.locator('#workbooks').getByText('Type an API key or token above.').waitFor()
  await page.getByLabel('Deployment').fill('')
  await page.getByLabel('Key or token of your own').fill('sk-own')
  await page.getByLabel('Key or token of your own').blur()
  await page.locator('#workbooks').getByText('Type a deployment above.').waitFor()
  expect(calls).toEqual([])
})

test('an empty key offers to make one, and the list or the frame then comes', async () => {
  const page = await open('syncs')
  await page.locator('#syncs').getByRole('button', { name: 'Make a key' }).click()
  await page.locator('#syncs').getByText('0 syncs').waitFor()
  const key = await page.locator('#own-key').inputValue()
  expect(key).toMatch(/^sk-/)
  await page.getByRole('link', { name: 'Session' }).click()
  const embedded = page.frameLocator('iframe')
  await embedded.getByText('Workbooks of north, for a guest').waitFor()
  await page.waitForURL(/#session\?.*embedTenantName=north/)
  expect(page.url()).not.toContain(key)
})
