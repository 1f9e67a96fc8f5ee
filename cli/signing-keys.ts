import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstSigningKeys } from '@embed-access/core/sessions/rotation.ts'
import { SigningKeys } from '@embed-access/core/sessions/signing-keys.ts'
import * as v from 'valibot'

/** The signing keys as they are now: another object once they have been rotated. */
export type CurrentSigningKeys = () => SigningKeys

/** Keys in memory, which end with the process. */
export async function newSigningKeys(): Promise<CurrentSigningKeys> {
  const keys = await firstSigningKeys(Date.now())
  return () => keys
}

/**
 * The keys kept in a directory, made when first asked for, so that tokens outlive a restart. A rotation that another
 * process writes there shows at the next call.
 */
export async function keptSigningKeys(directory: string): Promise<CurrentSigningKeys> {
  if (!readSigningKeys(directory)) await writeSigningKeys(directory, await firstSigningKeys(Date.now()))
  let kept: { version: string; keys: SigningKeys } | undefined
  return () => {
    const version = versionOf(fileIn(directory))
    if (kept?.version !== version) kept = { version, keys: readSigningKeys(directory) as SigningKeys }
    return kept.keys
  }
}

/**
 * @returns undefined where the directory has no keys yet
 * @throws Error with a plain sentence, and nothing of the file, where it holds something else
 */
export function readSigningKeys(directory: string): SigningKeys | undefined {
  const file = fileIn(directory)
  try {
    return v.parse(SigningKeys, readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (!(error instanceof v.ValiError)) throw error
    throw new Error(
      `${file} holds no signing keys of this version. Make new ones, which ends all tokens of the old ones, ` +
        `with: npm run keys -- init --data ${directory} --replace`,
    )
  }
}

/** All at once: whoever reads meanwhile gets the keys of before. */
export async function writeSigningKeys(directory: string, keys: SigningKeys): Promise<void> {
  const file = fileIn(directory)
  const written = `${file}.${randomBytes(6).toString('hex')}`
  await mkdir(directory, { recursive: true })
  await writeFile(written, `${JSON.stringify(keys)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(written, file)
}

const fileIn = (directory: string): string => join(directory, 'signing-keys.json')

/** Each writing makes a new file, so its number tells versions apart that were written within one tick of the clock. */
function versionOf(file: string): string {
  const { ino, mtimeMs } = statSync(file)
  return `${ino} ${mtimeMs}`
}
