import { rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { accountKey } from '@embed-access/core/access/keys.ts'
import { exportCatalog as changesOf } from '@embed-access/core/catalog/export.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { quietOption } from '../command.ts'
import { progressLine } from '../progress-line.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { partOf, unwritable, writePrivate } from './private-file.ts'

const about =
  'Writes the catalog as changes to a file, gzipped if its name ends with .gz, or to stdout. An ' +
  'import of it gives the same catalog, which then owns what sessions have defined. Sessions, ' +
  'revocations and the times when keys were last used are not part of it.'

export const exportCatalog = (terminal: Terminal) =>
  onTables('export', about, {
    examples: [
      'npx embed-access catalog export all.ndjson.gz',
      'npx embed-access catalog export | head',
    ],
  })
    .argument('[file]', 'where to write (default, and -: stdout)')
    .addOption(quietOption)
    .option('--account <id>', 'exports only what belongs to this account')
    .action(async (path, { account, quiet: isQuiet, url, data }) => {
      const file = path === '-' ? undefined : path
      terminal.interrupted = () => {
        if (file === undefined) return undefined
        rmSync(partOf(file), { force: true })
        return `${file} was not written.`
      }
      const count = await withStorage(terminal, { url, data }, async (storage) => {
        if (account !== undefined && !(await getItem(storage, 'catalog', accountKey(account)))) {
          throw new Error(`There is no account ${printable(account)}.`)
        }
        return exportToFile(storage, file, account, terminal, isQuiet)
      })
      linesTo(terminal.err)(`exported ${count}`)
    })

/**
 * Writes the catalog to a file or to stdout. A file whose name ends with .gz is gzipped. The file
 * appears once it is whole. Only its owner may read it, since it has addresses of users and hashes
 * of keys.
 * @returns how many changes there are
 */
export async function exportToFile(
  storage: Storage,
  path: string | undefined,
  accountId: string | undefined,
  { out, err }: Pick<Terminal, 'out' | 'err'>,
  isQuiet?: boolean,
) {
  let count = 0
  const isShown = path === undefined && out.isTTY === true
  const bar = progressLine(err, isQuiet)
  async function* lines() {
    for await (const line of changesOf(storage, accountId)) {
      count += 1
      if (count % 1000 === 0) bar.show(count)
      yield `${isShown ? printable(line) : line}\n`
    }
  }
  const content = Readable.from(lines())
  const writing =
    path === undefined ? pipeline(content, out, { end: false }) : writeWhole(content, path)
  await writing.finally(bar.end)
  return count
}

async function writeWhole(content: Readable, path: string): Promise<void> {
  // Otherwise the file would replace a device or a pipe.
  const there = await stat(path).catch(() => undefined)
  if (path === '' || (there && !there.isFile()))
    throw new Error(`'${path}' is no file. Leave it out to write to stdout.`)
  try {
    await writePrivate(path, (opened) => {
      const file = opened.createWriteStream()
      return path.endsWith('.gz') ? pipeline(content, createGzip(), file) : pipeline(content, file)
    })
  } catch (error) {
    throw unwritable(path, error)
  }
}
