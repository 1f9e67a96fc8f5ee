import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../local/make-directory.ts'
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
        const example = await readFile(new URL(`example/${name}`, import.meta.url))
        await writeFile(join(directory, name), example, { flag: 'wx' })
      }
      const files = `${directory}/catalog.ndjson, and ${directory}/README.md, which explains it`
      linesTo(terminal.out)(`Wrote ${files}.`)
    })
