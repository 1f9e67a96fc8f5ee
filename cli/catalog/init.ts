import { constants } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** @throws Error with a plain sentence if one of the two files is there */
export async function writeExample(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw ['EEXIST', 'ENOTDIR'].includes(error.code ?? '')
      ? new Error(`${directory} is no directory.`)
      : error
  })
  for (const name of ['catalog.ndjson', 'README.md']) {
    const path = join(directory, name)
    await copyFile(
      new URL(`example/${name}`, import.meta.url),
      path,
      constants.COPYFILE_EXCL,
    ).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST'
        ? new Error(`${path} is there already. Nothing is overwritten.`)
        : error
    })
  }
}
