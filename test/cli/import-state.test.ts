import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ChangeResult } from '@embed-access/core/catalog/apply.ts'
import { createTables } from '@embed-access/core/storage/create-tables.ts'
import { connect, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { applyingTo, atStart, importCatalog, type Work } from '../../cli/catalog/import.ts'
import { importState } from '../../cli/catalog/state.ts'
import { run } from '../support/command.ts'
import { connectToEngine } from '../support/database.ts'
import { slow } from '../support/time.ts'
import { commanded, environmentOf } from './environment.ts'

// Each test runs several commands, over hundreds of lines or more.
describe('npm run catalog', slow, () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-resume-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  const tables = (name: string) => tablesWithPrefix(`resume-${process.pid}-${name}`)
  const env = (name: string) => environmentOf(tables(name))
  const catalog = (name: string, ...args: string[]) => commanded('catalog', args, { env: env(name) })

  const group = (index: number) =>
    JSON.stringify({ kind: 'group', revision: 1, data: { accountId: 'acme', name: `group ${index}` } })

  async function fileOf(name: string, lines: readonly string[]): Promise<string> {
    const path = join(directory, name)
    const content = `${lines.join('\n')}\n`
    await writeFile(path, name.endsWith('.gz') ? gzipSync(content) : content)
    return path
  }

  test('import --dry-run names every line that is not valid and touches no table', async () => {
    const path = await fileOf('dry.ndjson', [
      group(1),
      '{"kind":"group","data":{"accountId":"acme"}}',
      'text',
      group(2),
    ])
    const { code, printed } = await catalog('dry', 'import', path, '--dry-run')
    expect([code, printed]).toEqual([1, expect.stringContaining('valid 2, not valid 2')])
    expect(printed).toMatch(/line 2: \/data\/name/)
    expect(printed).toMatch(/line 3: .+/)
    expect((await catalog('dry', 'export')).printed).toContain('There are no such tables')
    expect(await readdir(directory)).not.toContain('dry.ndjson.import-state')
  })

  test('import --dry-run counts the references to what is not in the file, in any order of its lines', async () => {
    const line = (kind: string, data: object, more: object = {}) => JSON.stringify({ kind, ...more, data })
    const path = await fileOf('references.ndjson', [
      line('folder', { deploymentId: 1, id: 7, name: 'Seven', parentId: 8 }),
      line('folder', { deploymentId: 1, id: 9, name: 'Nine', parentId: 10 }),
      line('folder', { deploymentId: 1, id: 8, name: 'Eight', parentId: null }),
      line('folder', { deploymentId: 1, id: 10, name: 'Ten', parentId: null }, { revision: 1 }),
      line('folder', { deploymentId: 1, id: 10 }, { op: 'delete', revision: 2 }),
      line('deployment', { accountId: 'acme', id: 1, name: 'First' }),
      line('share', { deploymentId: 1, resource: { type: 'workbook', id: 5 }, grantee: { type: 'allEmbedUsers' } }),
    ])
    const { code, printed } = await catalog('references', 'import', path, '--dry-run')
    expect([code, printed]).toEqual([0, expect.stringContaining('valid 7, not valid 0, references to nothing 3\n')])
    expect(printed).toContain(
      'line 2: /data/parentId refers to folder {"deploymentId":1,"id":10}, which is not in the file',
    )
    expect(printed).toContain('line 6: /data/accountId refers to account {"id":"acme"}, which is not in the file')
    expect(printed).toContain('line 7: /data/resource refers to workbook {"deploymentId":1,"id":5}, which')
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
        async (changes, lines) => {
          if (taken.length === batch) throw new Error('stopped')
          taken.push(changes.length)
          return applyingTo(storage)(changes, lines)
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

  test('import tells lines that could not be applied from those that were refused, and stops where none can be', async () => {
    const path = await fileOf('failing.ndjson', [group(1), 'text', group(2), group(3)])
    const gone = Object.assign(new Error('the table is gone'), { name: 'ResourceNotFoundException' })
    const failed: ChangeResult = { outcome: 'failed', reason: 'it was busy', cause: gone }
    const written: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    try {
      const one: Work = async (changes) => changes.map((_, index) => (index === 1 ? failed : { outcome: 'applied' }))
      expect(await importCatalog(one, path)).toEqual({ applied: 2, skipped: 0, refused: 1, failed: 1 })
      expect(written).toEqual(['line 2: is not JSON: column 2 is wrong\n', 'line 3: not applied: it was busy\n'])
      await expect(importCatalog(async (changes) => changes.map(() => failed), path)).rejects.toBe(gone)
    } finally {
      write.mockRestore()
    }
  })

  test('import that Ctrl-C interrupts says how to go on, which then does the rest', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => group(index))
    const path = await fileOf('it was interrupted.ndjson', lines)
    const interrupted = run(['cli/catalog.ts', 'import', path], env('interrupted'))
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

  test('import --resume refuses a file that has changed and other tables, also of the same name', async () => {
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
    await writeFile(path, group(2))
    await expect(importState(storage, path, true)).rejects.toThrow(/has changed/)
    for (const { client } of [storage, other]) client.destroy()
  })

  test('export writes what import reads, gzipped by name, to stdout without one', async () => {
    const path = await fileOf('all.ndjson', [
      '{"kind":"account","data":{"id":"acme","name":"Acme","embeddingEnabled":false}}',
      ...Array.from({ length: 250 }, (_, index) => group(100 + index)),
    ])
    await catalog('source', 'import', path)
    const target = join(directory, 'export.ndjson.gz')
    expect(await catalog('source', 'export', target)).toMatchObject({ code: 0, printed: 'exported 251\n' })
    const exported = gunzipSync(await readFile(target)).toString()
    const linesOf = (content: string) => content.trim().split('\n').toSorted()
    expect(linesOf(exported)).toEqual(linesOf(await readFile(path, 'utf8')))
    expect((await catalog('source', 'export')).output).toBe(exported)
    const nobody = await catalog('source', 'export', '--account', 'nobody')
    expect(nobody).toMatchObject({ code: 1, printed: 'There is no account nobody.\n' })
  })
})
