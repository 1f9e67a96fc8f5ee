import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { publishedHash } from '@embed-access/core/access/revocations-in-force.ts'
import { describe, expect, test } from 'vitest'
import { hashesOf } from '../../client/revocations.ts'
import { python, withoutPython } from '../examples/python.ts'

const page = readFileSync('docs/verify-a-token.md', 'utf8')
const rows = [...page.matchAll(/^\| `(acme#.*)` \| .* \| `(.*)` \|$/gm)]
const documented = rows.map(([, text = '', hash = '']) => ({ text, hash }))
const hashes = documented.map(({ hash }) => hash).sort()

const claims = {
  ...{ iss: 'i', aud: 'a', sub: 's', iat: 0, nbf: 0, exp: 1, accountId: 'acme' },
  ...{ jti: 'k3JqZ0r8Yw2mT5xV1bNc7A', deploymentId: 7, userId: 3 },
  mintedBy: { userId: 2, key: '0123456789ab', at: 0 },
  embedTenantName: 'a#b',
  externalId: 'ü-1',
}

/** What the Python verifier makes of the claims in standard input, as lines. */
function inPython(command: string, given: object): string[] {
  const code = `
import json, sys
sys.path.insert(0, "examples")
from verifier import hashes_of
print("\\n".join(hashes_of(json.load(sys.stdin))))`
  const { stdout } = spawnSync(command, ['-Bc', code], { input: JSON.stringify(given) })
  return `${stdout}`.trim().split('\n').sort()
}

describe('the hashes of docs/verify-a-token.md are those', () => {
  test('of its texts', () => {
    expect(documented).toHaveLength(12)
    for (const { text, hash } of documented) expect(publishedHash(text)).toBe(hash)
  })

  test('that the client makes of its claims', async () => {
    expect((await hashesOf(claims)).sort()).toEqual(hashes)
    const { userId, externalId, ...ofNoUser } = claims
    const others = documented.filter(({ text }) => !/^acme#(gone#)?user#/.test(text))
    expect((await hashesOf(ofNoUser)).sort()).toEqual(others.map(({ hash }) => hash).sort())
  })

  test('that the Python code makes of them', ({ skip }) => {
    if (!python) return skip(withoutPython)
    expect(inPython(python, claims)).toEqual(hashes)
  })

  test('in both languages, whatever a token has', async ({ skip }) => {
    if (!python) return skip(withoutPython)
    const { userId, embedTenantName, externalId, ...always } = claims
    for (const given of [
      always,
      { ...always, userId, mintedBy: { userId: 2, at: 0 } },
      { ...always, externalId },
      { ...always, embedTenantName },
      { ...always, embedTenantName: '%23#%', externalId: '𝄞\u0000"\\#' },
    ])
      expect(new Set(inPython(python, given))).toEqual(new Set(await hashesOf(given)))
  })
})
