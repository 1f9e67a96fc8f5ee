import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { verb } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'

export const init = (terminal: Terminal) =>
  verb('init', 'Writes a small example catalog and its explanation to a directory, to edit.', {
    examples: ['npx embed-access catalog init mine'],
  })
    .argument('<dir>', 'a directory, which is made if it is not there')
    .action(async (directory) => {
      await makeDirectory(directory)
      const names = ['catalog.ndjson', 'README.md']
      const there = names.map((name) => join(directory, name)).find((path) => existsSync(path))
      if (there !== undefined) throw new Error(`${there} is there already. Nothing is written.`)
      for (const name of names) {
        const example = new URL(`example/${name}`, import.meta.url)
        await copyFile(example, join(directory, name), constants.COPYFILE_EXCL)
      }
      const files = `${directory}/catalog.ndjson, and ${directory}/README.md, which explains it`
      linesTo(terminal.out)(`Wrote ${files}.`)
    })

/** Makes a directory and those above it. Node's recursive mkdir never ends below /proc. */
async function makeDirectory(directory: string): Promise<void> {
  const above = dirname(directory)
  if (!existsSync(above)) await makeDirectory(above)
  await mkdir(directory).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(directory)).isDirectory()) return
    if (['EEXIST', 'ENOTDIR'].includes(error.code ?? ''))
      throw new Error(`${directory} is no directory.`)
    throw new Error(`The directory ${directory} cannot be made: ${error.code}.`, { cause: error })
  })
}
