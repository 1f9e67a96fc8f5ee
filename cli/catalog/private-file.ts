import { type FileHandle, open, rm } from 'node:fs/promises'

/**
 * Makes a file that only its owner may read. It replaces a file of that name, which others may
 * be able to read, or which may be a link.
 */
export async function openPrivate(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}
