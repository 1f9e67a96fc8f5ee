import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportToFile } from '../../cli/catalog/export.ts'
import { partOf } from '../../cli/catalog/private-file.ts'
import { acmeGroup } from '../support/catalog.ts'
import { connectToEngine, exported, interrupted } from '../support/database.ts'
import { fillTables } from '../support/filled-tables.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, refusal } from './environment.ts'

describe('a file of an export', () => {
  const directory = temporaryDirectory()
  let storage: Storage
  beforeAll(async () => {
    storage = connectToEngine()
    const group = (_: unknown, index: number) =>
      acmeGroup(`group ${index}`, { description: 'x'.repeat(2000) })
    await fillTables(storage, Array.from({ length: 1700 }, group))
  })

  test('has what an import reads, gzipped by name; and stdout without one', async () => {
    const { code, printed } = await catalogOn(storage)('export', join(directory, 'all.ndjson.gz'))
    expect([code, printed]).toEqual([0, expect.stringMatching(/exported 1700\n$/)])
    const text = gunzipSync(await readFile(join(directory, 'all.ndjson.gz'))).toString()
    expect(text.trim().split('\n').toSorted()).toEqual((await exported(storage)).toSorted())
    for (const stdout of [[], ['-']])
      expect((await catalogOn(storage)('export', ...stdout)).output).toBe(text)
    const nobody = await catalogOn(storage)('export', '--account', 'nobody')
    expect(nobody).toMatchObject(refusal(/^There is no account nobody\.\n$/))
  })

  const exporting = (
    path: string,
    from = storage,
    err: Parameters<typeof exportToFile>[3]['err'] = process.stderr,
  ) => exportToFile(from, path, undefined, { out: process.stdout, err })

  test('that fails leaves no part, keeps the former file, and ends the progress line', async () => {
    const path = join(directory, 'failing.ndjson')
    await writeFile(path, 'before')
    const written: string[] = []
    const err = { isTTY: true, write: (text: string) => written.push(text) }
    const isScan = (command: object) => command instanceof ScanCommand
    const failing = interrupted(storage, 4, isScan, () =>
      Promise.reject(new Error('the database is gone')),
    )
    await expect(exporting(path, failing, err)).rejects.toThrow('the database is gone')
    expect([await readdir(directory), await readFile(path, 'utf8')]).toEqual([
      expect.not.arrayContaining([basename(partOf(path))]),
      'before',
    ])
    expect(written.at(0)).toContain('1000 lines')
    expect(written.at(-1)).toBe('\r\x1b[K')
  })

  test('takes the place of no device, pipe or directory, and has a name', async () => {
    const pipe = join(directory, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, directory, '']) {
      await expect(exporting(path)).rejects.toThrow(
        `'${path}' is no file. Leave it out to write to stdout.`,
      )
    }
    expect((await stat(pipe)).isFIFO()).toBe(true)
  })

  test('is refused where nobody may write, by the name that was given', async ({ skip }) => {
    skip(!existsSync('/sys/kernel'), 'There is no /sys here.')
    const said = 'Cannot write /sys/kernel/x: /sys/kernel may not be written.'
    await expect(exporting('/sys/kernel/x')).rejects.toThrow(said)
  })

  test('is for its owner alone, and not written to where a link beside it leads', async () => {
    const path = join(directory, 'linked.ndjson.gz')
    const elsewhere = join(directory, 'elsewhere')
    await writeFile(elsewhere, 'kept')
    await symlink(elsewhere, partOf(path))
    expect(await exporting(path)).toBe(1700)
    expect(await readFile(elsewhere, 'utf8')).toBe('kept')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})
