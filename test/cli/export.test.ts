import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { applyChanges } from '@embed-access/core/catalog/apply.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { connect, type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { exportToFile } from '../../cli/catalog/export.ts'

describe('a file of an export', () => {
  let directory: string
  let storage: Storage
  beforeAll(async () => {
    storage = connect(tablesWithPrefix(`export-file-${process.pid}`), inject('engineEndpoint'))
    await createTables(storage)
    const groups = Array.from({ length: 1700 }, (_, index) => ({
      kind: 'group',
      data: { accountId: 'acme', name: `group ${index}`, description: 'x'.repeat(2000) },
    }))
    await applyChanges(storage, groups, { now: Date.now })
  })
  afterAll(() => storage.client.destroy())
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-export-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  /** The same tables, which fail at the given page of items. */
  function failingAt(read: number): Storage {
    let reads = 0
    return sendingThrough(storage, async (...request) => {
      if (request[0] instanceof ScanCommand && ++reads === read) throw new Error('the database is gone')
      return storage.client.send(...request)
    })
  }

  test('that fails leaves nothing behind, what was there before stays, and the progress line is ended', async () => {
    const path = join(directory, 'failing.ndjson')
    await writeFile(path, 'before')
    const written: string[] = []
    const err = { isTTY: true, write: (text: string) => written.push(text) }
    const failing = exportToFile(failingAt(4), path, undefined, { out: process.stdout, err })
    await expect(failing).rejects.toThrow('the database is gone')
    expect(await readdir(directory)).toEqual(['failing.ndjson'])
    expect(await readFile(path, 'utf8')).toBe('before')
    expect(written.at(0)).toContain('1000 lines')
    expect(written.at(-1)).toBe('\r\x1b[K')
  })

  test('is for its owner alone, whatever was left beside it', async () => {
    const path = join(directory, 'open.ndjson')
    await writeFile(`${path}.part`, 'left')
    await chmod(`${path}.part`, 0o644)
    expect(await exportToFile(storage, path, undefined, { out: process.stdout, err: process.stderr })).toBe(1700)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('takes the place of no device, pipe or directory', async () => {
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, directory]) {
      const failing = exportToFile(storage, path, undefined, { out: process.stdout, err: process.stderr })
      await expect(failing).rejects.toThrow(`${path} is no file. Leave it out to write to stdout.`)
    }
    expect([await readdir(directory), (await stat(pipe)).isFIFO()]).toEqual([['pipe'], true])
  })

  test('is not written to where a link beside it leads', async () => {
    const path = join(directory, 'linked.ndjson.gz')
    const elsewhere = join(directory, 'elsewhere')
    await writeFile(elsewhere, 'kept')
    await symlink(elsewhere, `${path}.part`)
    await exportToFile(storage, path, undefined, { out: process.stdout, err: process.stderr })
    expect(await readFile(elsewhere, 'utf8')).toBe('kept')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})
