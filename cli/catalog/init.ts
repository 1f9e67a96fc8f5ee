import { constants } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { verb } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'

export const init = (terminal: Terminal) =>
  verb('init', 'Writes a small example catalog and its explanation to a directory, to edit.', {
    examples: ['npx embed-access catalog init mine'],
  })
    .argument('<dir>', 'a directory, which is made if it is not there')
    .action(async (directory) => {
      await writeExample(directory)
      const files = `${directory}/catalog.ndjson, and ${directory}/README.md, which explains it`
      linesTo(terminal.out)(`Wrote ${files}.`)
    })

/** @throws Error with a plain sentence if one of the two files is there */
async function writeExample(directory: string): Promise<void> {
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
