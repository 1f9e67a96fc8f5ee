import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { describe, expect, inject, test, vi } from 'vitest'
import { applyingTo, importCatalog, type Work } from '../../cli/catalog/import.ts'
import { atStart, importState } from '../../cli/catalog/state.ts'
import { folder, put, revised } from '../support/catalog.ts'
import { run } from '../support/command.ts'
import { connectToEngine } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { slow } from '../support/time.ts'
import { catalogOn, environmentOf } from './environment.ts'

// Each test runs several commands, over hundreds of lines or more.
describe('npm run catalog', slow, () => {
  const directory = temporaryDirectory()
  const tables = (name: string) => tablesWithPrefix(`resume-${process.pid}-${name}`)
  const catalog = (name: string, ...args: string[]) => catalogOn({ tables: tables(name) })(...args)

  const group = (index: number) => revised(1, put('group', { accountId: 'acme', name: `group ${index}` }))
  const fileOf = (name: string, lines: readonly (string | object)[]) => fileIn(directory, name, lines)

  test('import --dry-run names invalid lines and missing references, and writes nothing', async () => {
    const path = await fileOf('dry.ndjson', [
      group(1),
      put('group', { accountId: 'acme' }),
      'text',
      folder(1, 9, 10),
      folder(1, 10, null),
    ])
    const { code, output, said } = await catalog('dry', 'import', path, '--dry-run')
    expect([code, output]).toEqual([1, 'valid 3, not valid 2, references to nothing 3\n'])
    expect(said).toMatch(/^line 2: \/data\/name .*\nline 3: is not JSON: .*\n/)
    expect(said).toContain('line 1: /data/accountId refers to account {"id":"acme"}, which is not in the file\n')
    expect(said).toContain(
      'line 4: /data/deploymentId refers to deployment {"id":1}, which is not in the file, as do 1',
    )
    expect((await catalog('dry', 'export')).printed).toContain('There are no such tables')
    expect(await readdir(directory)).not.toContain('dry.ndjson.import-state')
  })

  test.each(['lines.ndjson', 'lines.ndjson.gz'])(
    'import --resume continues where the last one stopped (%s)',
    async (name) => {
      const lines = Array.from({ length: 1300 }, (_, index) => (index === 3 ? 'text' : group(index)))
      const path = await fileOf(name, lines)
      expect((await catalog(name, 'import', await fileOf(`${name}.first`, [group(0)]))).code).toBe(0)
      const storage = connectToEngine(tables(name))
      const taken: number[] = []
      const stoppingAt =
        (batch: number): Work =>
        async (lines) => {
          if (taken.length === batch) throw new Error('stopped')
          taken.push(lines.length)
          return applyingTo(storage)(lines)
        }
      await expect(
        importCatalog(stoppingAt(1), path, { state: await importState(storage, path, false) }),
      ).rejects.toThrow('stopped')
      const counts = await importCatalog(stoppingAt(9), path, { state: await importState(storage, path, true) })
      expect(taken).toEqual([499, 500, 300])
      expect(counts).toEqual({ applied: 1298, skipped: 1, refused: 1, failed: 0 })
      await expect(importState(storage, path, true)).rejects.toThrow(/no import of .+ to resume/)
      storage.client.destroy()
    },
  )

  test('import stops where no line of a batch can be applied, with the reason', async () => {
    const path = await fileOf('failing.ndjson', [group(1), 'text', group(2)])
    const gone = new Error('the table is gone')
    const failing: Work = async (lines) => lines.map(() => ({ outcome: 'failed', reason: 'it is gone', cause: gone }))
    await expect(importCatalog(failing, path, { err: { write: () => {} } })).rejects.toBe(gone)
  })

  test('import that Ctrl-C interrupts says how to go on, which then does the rest', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => group(index))
    const path = await fileOf('it was interrupted.ndjson', lines)
    const interrupted = run(['cli/catalog.ts', 'import', path], environmentOf(tables('interrupted')))
    // Once the first batch is done.
    await vi.waitFor(
      async () => JSON.parse(await readFile(`${path}.import-state`, 'utf8')).progress.line || expect.fail(),
      {
        timeout: 60_000,
      },
    )
    interrupted.child.kill('SIGINT')
    const { code, printed } = await interrupted.ended
    expect([code, printed]).toEqual([
      130,
      expect.stringContaining(`Continue with: npm run catalog -- import '${path}' --resume`),
    ])
    const resumed = (await catalog('interrupted', 'import', path, '--resume')).printed
    const [, applied, skipped] = /applied (\d+), skipped (\d+), refused 0, failed 0/.exec(resumed) ?? []
    // What the interrupted batch had applied is there already.
    expect(Number(applied) + Number(skipped)).toBe(3000)
    expect((await catalog('interrupted', 'export')).printed).toContain('exported 3000\n')
  })

  test('import --resume refuses a changed file, and other tables even of the same name', async () => {
    const path = await fileOf('changed.ndjson', [group(1)])
    const storage = connect(tables('changed'), inject('engineEndpoint'))
    const other = connect(tables('elsewhere'), inject('engineEndpoint'))
    await Promise.all([createTables(storage), createTables(other)])
    await (await importState(storage, path, false)).keep({ line: 1, counts: { ...atStart.counts, applied: 1 } })
    await expect(importState(other, path, true)).rejects.toThrow(/went to the table .+, and not to the table .+/)
    // A table of the same name at another place: here the same one, made anew.
    const kept = await readFile(`${path}.import-state`, 'utf8')
    await writeFile(`${path}.import-state`, kept.replace(/id [\w-]+/, 'id 0'))
    await expect(importState(storage, path, true)).rejects.toThrow(/with the id 0, and not to/)
    await writeFile(`${path}.import-state`, kept)
    expect((await importState(storage, path, true)).from.line).toBe(1)
    await writeFile(path, JSON.stringify(group(2)))
    await expect(importState(storage, path, true)).rejects.toThrow(/has changed/)
    for (const { client } of [storage, other]) client.destroy()
  })

  test('export writes what import reads, gzipped by name, to stdout without one', async () => {
    const lines = [put('account', { id: 'acme', name: 'Acme' }), ...Array.from({ length: 250 }, (_, id) => group(id))]
    await catalog('source', 'import', await fileOf('all.ndjson', lines))
    const target = join(directory, 'export.ndjson.gz')
    expect(await catalog('source', 'export', target)).toMatchObject({ code: 0, printed: 'exported 251\n' })
    const exported = gunzipSync(await readFile(target)).toString()
    const namesIn = (changes: readonly { data: object }[]) => changes.map(({ data }) => JSON.stringify(data)).toSorted()
    const written = exported.trim().split('\n')
    expect(namesIn(written.map((line) => JSON.parse(line)))).toEqual(namesIn(lines))
    expect((await catalog('source', 'export')).output).toBe(exported)
    const nobody = await catalog('source', 'export', '--account', 'nobody')
    expect(nobody).toMatchObject({ code: 1, printed: 'There is no account nobody.\n' })
  })
})
