import { createHash } from 'node:crypto'
import { createReadStream, existsSync, watchFile } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { paginateScan, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type Item, isLive } from '@embed-access/core/storage/item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { demoCatalogFile, startedLately } from '../../local/demo/catalog.ts'
import {
  applyingTo,
  checking,
  importFile,
  type Remark,
  summaryOf,
  type Work,
} from '../catalog/importing.ts'
import { unreadable } from '../lines.ts'
import { shellWord } from '../shell-word.ts'
import { linesTo, messageOf, type Output } from '../terminal.ts'

/** A file in the data directory says that the demo is being loaded, or its load was interrupted. */
export async function loadDemo(
  storage: Storage,
  out: Output,
  dataDirectory?: string,
): Promise<void> {
  const begun = dataDirectory && join(dataDirectory, 'demo.begun')
  if ((await hasCatalog(storage)) && !(begun && existsSync(begun))) return
  const say = linesTo(out)
  say('Loading the demo catalog …')
  if (begun) await writeFile(begun, '')
  const apply = applyingTo(storage)
  const applyLately: Work = (lines) =>
    apply(lines.map((line) => ({ ...line, change: startedLately(line.change, Date.now()) })))
  const counts = await importFile(applyLately, demoCatalogFile)
  say(`  ${summaryOf(counts)}`)
  if (begun && counts.failed === 0) await rm(begun)
}

async function hasCatalog({ client, tables }: Storage): Promise<boolean> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.catalog, Limit: 1 }))
  return Items.length > 0
}

/**
 * A catalog file to be served.
 * @param dataDirectory where the digest of the file is kept once it is loaded; left out: nowhere
 * @throws Error with a plain sentence if a line is not valid. A file whose digest is kept is not
 * checked again
 */
export async function catalogFile(
  path: string,
  dataDirectory: string | undefined,
  { out, err }: { out: Output; err: Output },
) {
  const say = linesTo(out)
  const digestFile = dataDirectory && join(dataDirectory, 'catalog.sha256')
  const kept = digestFile && (await readFile(digestFile, 'utf8').catch(() => ''))
  let loaded = await digestOf(path)
  if (loaded !== kept) await requireValid(path, err)

  /**
   * If a line has no effect, the file counts as not loaded. So the next start names the line
   * again.
   */
  async function loadFile(storage: Storage, digest: string) {
    let isWrong = false
    const tell = (remark: Remark) => {
      isWrong ||= remark.isWrong
    }
    // An interrupted load leaves a mix of two files. So the digest is deleted before the load.
    loaded = ''
    if (digestFile) await writeFile(digestFile, '')
    const counts = await importFile(applyingTo(storage), path, { err, tell })
    loaded = digest
    if (digestFile) await writeFile(digestFile, isWrong ? '' : digest)
    return counts
  }

  return {
    async load(storage: Storage): Promise<void> {
      if (loaded === kept && (await hasCatalog(storage))) {
        return say(`${path} is loaded already. It has not changed since.`)
      }
      say(`Loading ${path} …`)
      const counts = await loadFile(storage, await digestOf(path))
      say(`  ${summaryOf(counts)}`)
      if (counts.failed > 0)
        throw new Error('The catalog has lines that were not applied. Nothing is served.')
    },

    /** Loads the file whenever it is saved. An error is printed, and ends nothing. */
    watch(storage: Storage): void {
      let last = Promise.resolve()
      const loadChanged = async () => {
        const digest = await digestOf(path)
        if (digest !== loaded)
          say(`${path} was saved: ${summaryOf(await loadFile(storage, digest))}`)
      }
      const saved = () => {
        last = last.then(loadChanged).catch((error) => linesTo(err)(messageOf(error)))
      }
      // watchFile looks the name up: an editor may put a new file in the place of the old one.
      watchFile(path, { interval: 200 }, saved)
      saved()
    },
  }
}

async function requireValid(path: string, err: Output): Promise<void> {
  const said: string[] = []
  const collecting = { write: (text: string) => said.push(text) }
  const { refused } = await importFile(checking, path, { err: collecting, isQuiet: true })
  if (refused === 0) return
  err.write(said.join(''))
  const outcome = 'Nothing was written, and nothing is served.'
  throw new Error(`The catalog has lines that are not valid. ${outcome}`)
}

async function digestOf(path: string): Promise<string> {
  try {
    if (!(await stat(path)).isFile()) throw new Error('it is not a file')
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Says how to make an API key, if none opens the catalog. */
export async function adviceWithoutKey(
  { client, tables }: Storage,
  url: string,
): Promise<string | undefined> {
  const users: Item[] = []
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tables.credentials })) {
    const there = (Items as Item[]).filter(isLive)
    if (there.some(({ kind }) => kind === 'apiKey')) return undefined
    users.push(...there.filter(({ kind }) => kind === 'user'))
  }
  const user = users.find(({ roles }) => (roles as string[]).includes('admin')) ?? users[0]
  const example = 'npx embed-access catalog init DIR writes an example.'
  if (!user) return `The catalog has no user, so it can have no API key. ${example}`
  const whose = `--account ${shellWord(user.accountId as string)} --user ${user.id}`
  const create = `npx embed-access keys create --url ${url} ${whose}`
  return `No API key opens this catalog. Make one:\n  ${create}`
}
