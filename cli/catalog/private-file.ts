import { type FileHandle, open, rm } from 'node:fs/promises'

/** Where a file is written until it is whole. Two commands that write one file share no part. */
export const partOf = (path: string): string => `${path}.${process.pid}.part`

/**
 * Makes a file that only its owner may read. It replaces a file of that name, because that may be
 * a link, or readable for others.
 */
export async function openPrivate(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}
