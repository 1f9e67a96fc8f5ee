import { rotated } from '@embed-access/core/signing/rotation.ts'
import type { SigningKeys } from '@embed-access/core/signing/signing-keys.ts'
import {
  readSigningKeys,
  readStoredKeys,
  writeSigningKeys,
} from '@embed-access/core/signing/stored-keys.ts'
import type { World } from '../support/service.ts'

/** How long a key has to be known before it signs, in milliseconds. */
export const published = 960_000

/** Rotates the stored keys of a service whose tokens live for a day. Returns the new keys. */
export async function rotate({
  storage,
  now,
}: Pick<World, 'storage' | 'now'>): Promise<SigningKeys> {
  const keys = await rotated(await readSigningKeys(storage), now)
  await writeSigningKeys(storage, keys, await readStoredKeys(storage))
  return keys
}
