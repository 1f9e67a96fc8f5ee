import { type FileHandle, open, rm } from 'node:fs/promises'

/**
 * Makes a file that only its owner may read. What is there under its name goes: it may be open to
 * others, or lead elsewhere.
 */
export async function openPrivate(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}
