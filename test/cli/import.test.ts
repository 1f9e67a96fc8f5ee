import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../support/command.ts'
import { environmentOf } from './environment.ts'

describe('npm run catalog -- import', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'embed-access-import-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  const env = () => environmentOf(tablesWithPrefix(`import-${process.pid}`))

  const importing = async (file: string, content: string | Buffer) => {
    const path = join(directory, file)
    await writeFile(path, content)
    return run(['cli/catalog.ts', 'import', path], env()).ended
  }

  const account = (id: string, revision: number) =>
    JSON.stringify({ kind: 'account', revision, data: { id, name: id } })

  test('applies what is valid, skips what is behind, and lists what it refuses by line, field and reason', async () => {
    const first = await importing('first.ndjson.gz', gzipSync(`${account('a', 2)}\n\n${account('b', 1)}\n`))
    expect(first).toMatchObject({
      code: 0,
      printed: expect.stringContaining('applied 2, skipped 0, refused 0, failed 0'),
    })
    const second = await importing(
      'second.ndjson',
      `${account('a', 1)}\nnot json\n{"kind":"account","data":{"id":7,"name":"x"}}\n${account('c', 1)}\n`,
    )
    expect(second.code).toBe(1)
    expect(second.printed).toContain('applied 1, skipped 1, refused 2')
    expect(second.printed).toMatch(/line 2: .+/)
    expect(second.printed).toMatch(/line 3: \/data\/id must be a string/)
  })

  test('says in plain words that there is no such file, and tells its options with --help', async () => {
    const missing = await run(['cli/catalog.ts', 'import', join(directory, 'none.ndjson')], env()).ended
    expect([missing.code, /\n\s+at /.test(missing.printed)]).toEqual([1, false])
    expect(missing.printed).toContain('none.ndjson')
    const help = await run(['cli/catalog.ts', '--help'], env()).ended
    expect([help.code, help.printed.includes('import')]).toEqual([0, true])
  })

  test.each([
    ['Say init, import, export, purge, check, explain, reconcile, send, dead or redrive.', []],
    [
      'imprt is no command. Say init, import, export, purge, check, explain, reconcile, send, dead or redrive.',
      ['imprt', 'x'],
    ],
    ['import needs a file.', ['import']],
    ['import takes one file, and not also y.', ['import', 'x', 'y']],
    ['--account is for export alone.', ['import', 'x', '--account', 'acme']],
    ['Give --dry-run or --resume, not both.', ['import', 'x', '--dry-run', '--resume']],
    ['--resume is for import alone.', ['export', '--resume']],
    ['--dry-run is for import alone.', ['export', 'x', '--dry-run']],
    ['init takes a directory and nothing else.', ['init']],
    ['purge takes no arguments.', ['purge', 'x']],
    ['check needs --deployment ID, a number.', ['check']],
    ['check does not take --tenant.', ['check', '--deployment', '1', '--tenant', 'x']],
    ['explain needs --tenant NAME.', ['explain', '--workbook', '1']],
    ['explain needs --workbook ID, a number.', ['explain', '--tenant', 'x', '--workbook', 'y']],
    ['import does not take --workbook.', ['import', 'x', '--workbook', '1']],
    ['--account needs the id of an account.', ['export', '--account', '']],
  ])('says what is wrong with the arguments: %s', async (sentence, args) => {
    const { code, printed } = await run(['cli/catalog.ts', ...args], env()).ended
    expect([code, printed]).toEqual([1, `${sentence} See npm run catalog -- --help.\n`])
  })
})
