import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashOfApiKey } from '@embed-access/core/access/keys.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { visits } from './visit.ts'

let directory: string
let service: ReturnType<typeof run>
let url = ''

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'playground-'))
  const changes = [
    { kind: 'account', data: { id: 'own', name: 'Own', embeddingEnabled: true } },
    { kind: 'deployment', data: { accountId: 'own', id: 5, name: 'Five' } },
    {
      kind: 'user',
      data: { accountId: 'own', id: 1, email: 'me@own.example', roles: ['admin'], deploymentIds: 'all' },
    },
    { kind: 'apiKey', data: { accountId: 'own', userId: 1, name: 'k', tokenHash: hashOfApiKey('sk-own') } },
  ]
  const file = join(directory, 'own.ndjson')
  await writeFile(file, changes.map((change) => JSON.stringify(change)).join('\n'))
  service = run(['local/start.ts', '--port', '0', '--catalog', file])
  url = (await service.printed(/The playground is at (\S+)\//))[1] as string
})
afterAll(async () => {
  service?.child.kill('SIGINT')
  await service?.ended
  await rm(directory, { recursive: true })
})

const { open } = visits(() => url)

test('with a catalog of one’s own the key is typed, and no demo key is offered', async () => {
  const page = await open()
  expect(await page.getByLabel('API key').isVisible()).toBe(false)
  await page.getByLabel('Key or token of your own').fill('sk-own')
  await page.getByLabel('Deployment').fill('5')
  await page.getByLabel('External id').first().fill('someone')
  await page.getByRole('button', { name: 'Generate the session' }).click()
  await page.locator('#generate-answer .badge.good').waitFor()
  expect(await (await fetch(`${url}/playground/demo.json`)).json()).toEqual({ accounts: [] })
  await page.close()
})
