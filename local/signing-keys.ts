import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A new ES256 key pair, of which the `kid` is the thumbprint (RFC 7638); the first key of a list signs. */
export async function newSigningKeys(): Promise<JWK[]> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = await exportJWK(privateKey)
  return [{ ...key, kid: await calculateJwkThumbprint(key) }]
}

/** The keys kept in a directory, made when first asked for, so that tokens outlive a restart. */
export async function keptSigningKeys(directory: string): Promise<JWK[]> {
  const file = join(directory, 'signing-keys.json')
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { keys: JWK[] }).keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const keys = await newSigningKeys()
  await mkdir(directory, { recursive: true })
  await writeFile(file, JSON.stringify({ keys }), { mode: 0o600, flag: 'wx' })
  return keys
}
