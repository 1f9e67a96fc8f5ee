import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const directory = temporaryDirectory()
const key = newApiKey({ accountId: 'acme', userId: 1 })
const signingKeys = await firstSigningKeys(0)

/** Scans a text as the workflow scans files every night. */
async function scan(name: string, text: string): Promise<{ code: number; printed: string }> {
  const file = join(directory, name)
  await writeFile(file, text)
  return run(['node_modules/secretlint/bin/secretlint.js', '--maskSecrets', file]).ended
}

test.each([
  ['an API key of ours', 'notes.md', `Use ${key} for the demo.\n`],
  ['private signing keys as JSON', 'keys.json', JSON.stringify(signingKeys, null, 2)],
  [
    'private signing keys as JSON within JSON',
    'env.json',
    JSON.stringify({ KEYS: JSON.stringify(signingKeys) }),
  ],
])('the scan for secrets finds %s, and does not print it', async (_, name, text) => {
  const { code, printed } = await scan(name, text)
  expect([code, printed]).toEqual([1, expect.stringContaining('[PATTERN] found')])
  expect(printed).not.toContain(key)
})

test('the scan for secrets finds nothing in the hash of a key, or in public keys', async () => {
  const tokenHash = 'cad1edc446c432a81bd8565f87ac0ebd18cf83aff21d143c74f726d9784e52ae'
  const text = JSON.stringify({ tokenHash, keys: publicKeys(signingKeys.keys) })
  expect(await scan('public.json', text)).toMatchObject({ code: 0 })
})
