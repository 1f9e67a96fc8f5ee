import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { publicKeys } from '@embed-access/core/sessions/signing-keys.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../support/command.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterAll(() => rm(directory, { recursive: true }))

/** Scans a file as the workflow does every night. */
async function scan(name: string, text: string): Promise<{ code: number; printed: string }> {
  const file = join(directory, name)
  await writeFile(file, text)
  return run(['node_modules/secretlint/bin/secretlint.js', '--maskSecrets', file]).ended
}

test('the scan for secrets finds an API key of ours, and does not print it', async () => {
  const key = newApiKey({ accountId: 'acme', userId: 1 })
  const { code, printed } = await scan('notes.md', `Use ${key} for the demo.\n`)
  expect([code, printed]).toEqual([1, expect.stringContaining('[PATTERN] found')])
  expect(printed).not.toContain(key)
})

test('the scan for secrets finds private signing keys, as JSON and as JSON within JSON', async () => {
  const keys = await firstSigningKeys(0)
  for (const [name, text] of [
    ['keys.json', JSON.stringify(keys, null, 2)],
    ['environment.json', JSON.stringify({ SIGNING_KEYS: JSON.stringify(keys) })],
  ] as const) {
    const { code, printed } = await scan(name, text)
    expect([code, printed]).toEqual([1, expect.stringContaining('[PATTERN] found')])
  }
})

test('the scan for secrets finds nothing in the hash of a key, or in public keys', async () => {
  const keys = publicKeys((await firstSigningKeys(0)).keys)
  const text = JSON.stringify({ tokenHash: 'cad1edc446c432a81bd8565f87ac0ebd18cf83aff21d143c74f726d9784e52ae', keys })
  expect(await scan('public.json', text)).toMatchObject({ code: 0 })
})
