import { hash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import type { ChangeResult } from '@embed-access/core/catalog/apply.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { unreadable } from '../lines.ts'
import { openPrivate } from './private-file.ts'

export type ImportCounts = Readonly<Record<ChangeResult['outcome'], number>>

/** How far an import is: the last line that is done, and what became of the lines up to it. */
type ImportProgress = { readonly line: number; readonly counts: ImportCounts }

export const atStart: ImportProgress = {
  line: 0,
  counts: { applied: 0, skipped: 0, refused: 0, failed: 0 },
}

export type ImportState = Awaited<ReturnType<typeof importState>>

type Kept = { readonly file: string; readonly target: string; readonly progress: ImportProgress }

/** A file counts as the same if its size and this many bytes of its beginning are the same. */
const fingerprintBytes = 1024 * 1024

/**
 * Keeps how far the import of a file is, in a second file, `FILE.import-state`. Each batch writes
 * that file, until a line cannot be applied. The end of the import removes it. A resumed import
 * applies an interrupted batch again, which changes nothing.
 * @param resume go on where the last import stopped, instead of at the start
 * @throws Error with a plain sentence where there is nothing to resume, or it was another file or
 * other tables
 */
export async function importState(storage: Storage, path: string, resume: boolean) {
  const statePath = `${path}.import-state`
  const file = await fingerprint(path)
  if (file === undefined && resume)
    throw new Error(`${path} is not a file, so no import of it can be resumed.`)
  const target = file === undefined ? '' : await targetOf(storage)
  let isKept = resume
  return {
    from: resume ? await kept() : atStart,
    isKept: () => isKept,
    async keep(progress: ImportProgress): Promise<void> {
      if (file === undefined) return
      try {
        const next = await openPrivate(`${statePath}.new`)
        const text = JSON.stringify({ file, target, progress } satisfies Kept)
        await next.writeFile(text).finally(() => next.close())
        // Renamed into place, so that a stop in the middle leaves the state before.
        await rename(`${statePath}.new`, statePath)
        isKept = true
      } catch (error) {
        // Without this file the import continues, and cannot be resumed.
        if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
          throw error
      }
    },
    async end(): Promise<void> {
      if (file !== undefined) await rm(statePath, { force: true })
      isKept = false
    },
  }

  async function kept(): Promise<ImportProgress> {
    const kept: Kept | undefined = await readFile(statePath, 'utf8').then(
      JSON.parse,
      () => undefined,
    )
    if (!kept)
      throw new Error(`There is no import of ${path} to resume. Import it without --resume.`)
    if (kept.file !== file)
      throw new Error(`${path} has changed since its import stopped. Import it without --resume.`)
    if (kept.target === target) return kept.progress
    throw new Error(
      `The import of ${path} that stopped went to ${kept.target}, and not to ${target}.`,
    )
  }
}

/**
 * Where an import writes: the table's own id. Two places may have tables of the same name, and the
 * address of one place may change, such as the port of the embedded engine.
 */
async function targetOf({ client, tables }: Storage): Promise<string> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tables.catalog }))
  return `the table ${tables.catalog} with the id ${Table?.TableId}`
}

/** The size and a hash of the beginning of a file. Undefined if it is no file, such as a pipe. */
async function fingerprint(path: string): Promise<string | undefined> {
  try {
    // To open a pipe and close it again would end who writes to it.
    const there = await stat(path)
    if (!there.isFile()) return undefined
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(fingerprintBytes),
      0,
      fingerprintBytes,
      0,
    )
    return `${there.size} ${hash('sha256', buffer.subarray(0, bytesRead), 'hex')}`
  } catch (error) {
    throw unreadable(path, error)
  }
}
