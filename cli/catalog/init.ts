import { existsSync } from 'node:fs'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../local/make-directory.ts'
import { verb } from '../command.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { unwritable } from './private-file.ts'

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
      const made: string[] = []
      for (const name of names) {
        const path = join(directory, name)
        const example = await readFile(new URL(`example/${name}`, import.meta.url))
        try {
          const file = await open(path, 'wx')
          made.push(path)
          await file.writeFile(example).finally(() => file.close())
        } catch (error) {
          // The next try would refuse a directory that has one of these files.
          for (const each of made) await rm(each)
          throw unwritable(path, error)
        }
      }
      const files = `${directory}/catalog.ndjson, and ${directory}/README.md, which explains it`
      linesTo(terminal.out)(`Wrote ${files}.`)
    })
