import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a directory and those above it. Node's recursive mkdir never ends below /proc. */
export async function makeDirectory(directory: string, mode?: number): Promise<void> {
  const above = dirname(directory)
  if (!existsSync(above)) await makeDirectory(above, mode)
  await mkdir(directory, { mode }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(directory)).isDirectory()) return
    if (['EEXIST', 'ENOTDIR'].includes(error.code ?? ''))
      throw new Error(`${directory} is no directory.`)
    throw new Error(`The directory '${directory}' cannot be made: ${error.code}.`, { cause: error })
  })
}
