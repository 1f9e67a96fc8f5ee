import { connectToEngine } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn } from './environment.ts'

export const counts = (applied: number, skipped = 0, refused = 0) =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}, failed 0\n`

/** What an import prints that applies so many lines, and no more. */
export const applying = (applied: number, skipped = 0) => ({
  code: 0,
  printed: counts(applied, skipped),
})

export const account = (id: string, revision: number, name = id) =>
  JSON.stringify({ kind: 'account', revision, data: { id, name } })

/** Commands over tables of a file of tests, and a directory for what they read. */
export function importsOfTests() {
  const directory = temporaryDirectory()
  const { tables } = connectToEngine()
  const catalog = catalogOn({ tables })
  const fileOf = (file: string, content: string | Buffer) =>
    fileIn(directory, file, Buffer.isBuffer(content) ? content : [content])
  const importing = async (file: string, content: string | Buffer, ...options: string[]) =>
    catalog('import', await fileOf(file, content), ...options)
  return { directory, tables, catalog, fileOf, importing }
}
