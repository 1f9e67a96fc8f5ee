import { newApiKey } from '@embed-access/core/access/api-key.ts'
import { firstSigningKeys } from '@embed-access/core/signing/rotation.ts'
import { publicKeys } from '@embed-access/core/signing/signing-keys.ts'
import { beforeAll, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'

const directory = temporaryDirectory()
const key = newApiKey({ accountId: 'acme', userId: 1 })
const signingKeys = await firstSigningKeys(0)
const tokenHash = 'cad1edc446c432a81bd8565f87ac0ebd18cf83aff21d143c74f726d9784e52ae'

const files = {
  'notes.md': `Use ${key} for the demo.\n`,
  'keys.json': JSON.stringify(signingKeys, null, 2),
  'env.json': JSON.stringify({ KEYS: JSON.stringify(signingKeys) }),
  'public.json': JSON.stringify({ tokenHash, keys: publicKeys(signingKeys.keys) }),
}

/** What is printed of all files by a scan as the workflow makes it every night. */
let printed: string
beforeAll(async () => {
  const paths = Object.entries(files).map(([name, text]) => fileIn(directory, name, [text]))
  const scan = ['node_modules/secretlint/bin/secretlint.js', '--maskSecrets']
  const scanned = await run([...scan, ...(await Promise.all(paths))]).ended
  expect(scanned.code).toBe(1)
  printed = scanned.printed
})

test.each([
  ['an API key of ours', 'notes.md'],
  ['private signing keys as JSON', 'keys.json'],
  ['private signing keys as JSON within JSON', 'env.json'],
])('the scan for secrets finds %s, and does not print it', (_, name) => {
  expect(printed).toMatch(RegExp(`/${name}\\n.*\\[PATTERN\\] found`))
  expect(printed).not.toContain(key)
})

test('the scan for secrets finds nothing in the hash of a key, or in public keys', () => {
  expect(printed).not.toContain('public.json')
})
