import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'

/**
 * Takes a directory for this process, as long as it lives: two engines on one file would lose each other's writes. The
 * claim is a socket that has a name and no file, so nothing is left behind when the process is killed. Only Linux has such
 * sockets. On other systems nothing is claimed.
 * @throws Error with a plain sentence if another process has it
 */
export async function claimDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error(`${directory} is a file. --data needs a directory.`) : error
  })
  if (process.platform !== 'linux') return
  const name = `\0embed-access-${hash('sha256', await realpath(directory), 'hex')}`
  const claim = createServer().unref().listen(name)
  await once(claim, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Another service uses ${directory}. End that one, or choose another directory with --data.`)
      : error
  })
}
