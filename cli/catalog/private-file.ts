import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonIn } from '../terminal.ts'

/** Where a file is written until it is whole. Two commands that write one file share no part. */
export const partOf = (path: string): string => `${path}.${process.pid}.part`

/**
 * Writes a file that only its owner may read, and puts it in the place of the former one once it is
 * whole. If that fails or is interrupted, the former file stays.
 */
export async function writePrivate(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const part = partOf(path)
  try {
    const file = await openPrivate(part)
    await write(file).finally(() => file.close())
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** Replaces a file of that name, because that may be a link, or readable for others. */
async function openPrivate(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}

export function unwritable(path: string, error: unknown): unknown {
  const directory = dirname(path)
  const reasons = {
    EEXIST: 'it is there already',
    ENOENT: `there is no directory ${directory}`,
    ENOTDIR: `there is no directory ${directory}`,
    EACCES: `${directory} may not be written`,
    EROFS: `${directory} may not be written`,
    ENOSPC: 'the disk is full',
  }
  const reason = reasonIn(reasons, error)
  if (reason === undefined) return error
  return new Error(`Cannot write ${path}: ${reason}.`, { cause: error })
}
