import { createHash } from 'node:crypto'
import { readFile, stat, unlink } from 'node:fs/promises'
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import type { ChangeResult } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { unreadable } from '../lines.ts'
import { writePrivate } from './private-file.ts'

export type ImportCounts = Record<ChangeResult['outcome'], number>

/**
 * How far an import is: the last line that is done, a digest of the lines up to it, what became of
 * them, and whether something was wrong with one.
 */
type ImportProgress = {
  line: number
  digest: string
  counts: ImportCounts
  isWrong: boolean
}

export function digestOfLines() {
  const digest = createHash('sha256')
  return {
    /** @param line its bytes; undefined if there are too many */
    add: (line: Buffer | undefined) => void digest.update(line ?? '').update('\n'),
    value: () => digest.copy().digest('hex'),
  }
}

export const atStart: ImportProgress = {
  line: 0,
  digest: digestOfLines().value(),
  counts: { applied: 0, skipped: 0, refused: 0, failed: 0 },
  isWrong: false,
}

export type ImportState = Awaited<ReturnType<typeof importState>>

/** Errors after which an import keeps no state. `/dev/fd/0`, for one, has no directory. */
const noStateAfter = ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENAMETOOLONG']

/** Without its state the import continues, and cannot be resumed. */
function unlessUnwritable(error: NodeJS.ErrnoException): void {
  if (!noStateAfter.includes(error.code ?? '')) throw error
}

type Kept = { target: string; progress: ImportProgress }

/**
 * Keeps how far the import of a file is, in a second file, `FILE.import-state`. Each batch writes
 * that file, until a line cannot be applied. The end of the import removes it. A resumed import
 * applies an interrupted batch again, which changes nothing.
 * @param resume go on where the last import stopped, instead of at the start
 * @throws Error with a plain sentence if there is nothing to resume, or the last import went to
 * other tables
 */
export async function importState(storage: Storage, path: string, resume: boolean) {
  const statePath = `${path}.import-state`
  const isFile = await isFileAt(path)
  if (!isFile && resume)
    throw new Error(`${path} is not a file, so no import of it can be resumed.`)
  const target = isFile ? await targetOf(storage) : ''
  const from = resume ? await kept() : atStart
  let isKept = resume
  return {
    from,
    isKept: () => isKept,
    /**
     * @param digest of the lines that were done
     * @throws Error with a plain sentence if they have changed since
     */
    requireSame(digest: string): void {
      if (digest === from.digest) return
      isKept = false
      throw new Error(`${path} has changed since its import stopped. Import it without --resume.`)
    },
    async keep(progress: ImportProgress): Promise<void> {
      if (!isFile) return
      const text = JSON.stringify({ target, progress } satisfies Kept)
      await writePrivate(statePath, (file) => file.writeFile(text)).then(() => {
        isKept = true
      }, unlessUnwritable)
    },
    async end(): Promise<void> {
      // Another user may have left a state here, which stays.
      if (isFile) await unlink(statePath).catch(unlessUnwritable)
      isKept = false
    },
  }

  async function kept(): Promise<ImportProgress> {
    const state: Kept | undefined = await readFile(statePath, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined)
    if (!state)
      throw new Error(`There is no import of ${path} to resume. Import it without --resume.`)
    if (state.target === target) return state.progress
    throw new Error(
      `The import of ${path} that stopped went to ${state.target}, and not to ${target}.`,
    )
  }
}

/**
 * Where an import writes: the table's own id. Two places may have tables of the same name, and the
 * address of one place may change, such as the port of the embedded engine. Tables of DynamoDB
 * Local have no id. The time when such a table was made stands for the id.
 */
async function targetOf({ client, tables }: Storage): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tables.catalog }))
  const id = Table?.TableId ?? Table?.CreationDateTime?.getTime()
  return `the table ${tables.catalog} with the id ${id}`
}

/** Whether this is a file and not a pipe. Opening and closing a pipe would end its writer. */
async function isFileAt(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    throw unreadable(path, error)
  }
}
