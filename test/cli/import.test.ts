import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import {
  type TableDefinition,
  tableDefinitions,
  tableNames,
} from '@embed-access/core/storage/tables.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTable } from '../../cli/create-tables.ts'
import { openLines } from '../../cli/lines.ts'
import { samples } from '../catalog/samples.ts'
import { acmeGroup, folder, put, workbook } from '../support/catalog.ts'
import { connectToEngine } from '../support/database.ts'
import { fileIn } from '../support/temporary.ts'
import { catalogOn, commanded, environmentOf, refusal } from './environment.ts'
import { gateToEngine } from './gate.ts'
import { account, applying, counts, importsOfTests } from './imports.ts'

const { directory, tables, catalog, fileOf, importing } = importsOfTests()

describe('npx embed-access catalog import', () => {
  test('applies valid lines, skips old ones, and says which it refuses and why', async () => {
    const first = await importing('first.ndjson.gz', `${account('a', 2)}\n\n${account('b', 1)}\n`)
    expect(first).toMatchObject(applying(2))
    const second = await importing(
      'second.ndjson',
      `${account('a', 1)}\nnot json\n` +
        `{"kind":"account","data":{"id":7,"name":"x"}}\n${account('c', 1)}\n`,
    )
    expect([second.code, second.output]).toEqual([1, counts(1, 1, 2)])
    expect(second.printed).toMatch(/line 2: is not JSON: column 2 is wrong\n/)
    expect(second.printed).toMatch(/line 3: \/data\/id must be a string/)
  })

  test('makes tables that forget what expires, and leaves them as they are', async () => {
    const file = await fileOf('tables.ndjson', account('t', 1))
    await catalog('import', file)
    const asked: string[] = []
    const gate = await gateToEngine((action) => {
      asked.push(action)
      return 'passes'
    })
    const env = environmentOf(tables, gate)
    expect(await commanded('catalog', ['import', file], { env })).toMatchObject({ code: 0 })
    expect(new Set(asked)).not.toContain('UpdateTimeToLive')
    const { client } = connectToEngine()
    for (const name of tableNames) {
      const { expiryAttribute }: TableDefinition = tableDefinitions[name]
      const { TimeToLiveDescription } = await client.send(
        new DescribeTimeToLiveCommand({ TableName: tables[name] }),
      )
      expect(TimeToLiveDescription?.AttributeName).toBe(expiryAttribute)
    }
  })

  test('refuses a table that lacks an index, as one of an older version may', async () => {
    const storage = connectToEngine()
    const definition = { ...tableDefinitions.sessions, indexes: [] }
    await createTable(storage, storage.tables.sessions, definition)
    const file = await fileOf('older.ndjson', account('a', 1))
    const said =
      `Another version made the table ${storage.tables.sessions}: it has no index ` +
      'revocationsInForce. Import the catalog of the platform into new tables.'
    expect(await catalogOn(storage)('import', file)).toMatchObject(refusal(said))
  })

  test('says in plain words that there is no such file, or half of one', async () => {
    const said = /^Cannot read .+none\.ndjson: there is no such file\.\n$/
    expect(await catalog('import', join(directory, 'none.ndjson'))).toMatchObject(refusal(said))
    await expect(openLines('')).rejects.toThrow("Cannot read '': there is no such file.")
    const half = gzipSync(account('half', 1)).subarray(0, 40)
    const early = refusal(/^Cannot read .+half\.ndjson: its gzip data ends too early\.\n/)
    expect(await importing('half.ndjson', half)).toMatchObject(early)
    const whole = gzipSync(`${account('whole', 1)}\n`)
    const zero = refusal(/^Cannot read .+: a zero byte is between or after its gzip data\.\n/)
    for (const end of [[Buffer.from([0]), whole], [Buffer.alloc(100_000)]])
      expect(await importing('zero.ndjson', Buffer.concat([whole, ...end]))).toMatchObject(zero)
    const twice = Buffer.concat([whole, whole])
    expect(await importing('whole.ndjson', twice)).toMatchObject({ code: 0 })
  })

  test('names each line that was edited without a new revision, and no other line', async () => {
    const lines = Object.entries(samples).map(([kind, [data]]) =>
      JSON.stringify({ kind, revision: 1, data }),
    )
    expect(await importing('samples.ndjson', lines.join('\n'))).toMatchObject({ code: 0 })
    const again = await importing('samples.ndjson', lines.join('\n'))
    expect(again).toMatchObject(applying(0, lines.length))

    const sentences: string[] = []
    const edited = Object.entries(samples).map(([kind, [data]], index) => {
      if (!/^(account|deployment|workbook)$/.test(kind)) return lines[index]
      const thing = `line ${index + 1}: ${kind} ${JSON.stringify(Object(data).id)}`
      sentences.push(`${thing} differs from what is stored under this revision; raise its revision`)
      return JSON.stringify({ kind, revision: 1, data: { ...data, name: 'Edited' } })
    })
    expect(sentences).toHaveLength(3)
    const told = await importing('samples.ndjson', edited.join('\n'))
    expect([told.code, told.said.trim().split('\n')]).toEqual([1, sentences])
    const { code, output } = await importing('samples.ndjson', edited.join('\n'), '--json')
    expect([code, JSON.parse(output)]).toEqual([
      1,
      {
        ...{ applied: 0, skipped: lines.length, refused: 0, failed: 0 },
        lines: sentences.map((text) => ({ line: expect.any(Number), isWrong: true, text })),
      },
    ])
  })

  test('names in a dry run a line that contradicts an earlier one of its revision', async () => {
    const lines = [
      account('d', 1),
      account('e', 1),
      account('e', 2),
      account('d', 1),
      account('d', 1, 'other'),
    ]
    const whole = [...lines, account('e', 3, 'other')].join('\n')
    const { code, printed } = await importing('twice.ndjson', whole, '--dry-run')
    const text = 'line 5: same thing and revision as line 4, other content'
    expect([code, printed]).toEqual([1, `${text}\nvalid 5, not valid 1, references to nothing 0\n`])
    const { output } = await importing('twice.ndjson', lines.join('\n'), '--dry-run', '--json')
    expect(JSON.parse(output)).toEqual({
      ...{ valid: 4, notValid: 1, referencesToNothing: 0 },
      lines: [{ line: 5, isWrong: true, text }],
    })
    const applied = await importing('twice.ndjson', lines.join('\n'))
    expect([applied.code, applied.said]).toEqual([
      1,
      expect.stringMatching(/^line 5: account "d" differs from what/),
    ])
  })

  test('leaves out an unknown field, names the nearest, and refuses it with --strict', async () => {
    const data = { ...workbook(9, 1).data, folderid: 7 }
    const line = JSON.stringify({ kind: 'workbook', data })
    const known = 'line 1: /data/folderid is not a known field; the nearest one is folderId'
    expect(await importing('typo.ndjson', line)).toMatchObject({
      code: 0,
      said: `${known}. It was left out\n`,
    })
    const strict = await importing('typo.ndjson', `${line}\n${account('f', 1)}`, '--strict')
    expect(strict).toMatchObject({ code: 1, said: `${known}\n`, output: counts(1, 0, 1) })
    expect(await importing('typo.ndjson', line, '--strict', '--dry-run')).toMatchObject({
      code: 1,
      said: `${known}\n`,
    })
  })

  test('takes - for standard input, which cannot be resumed', async () => {
    const env = environmentOf(tables)
    const input = `${account('typed', 1)}\n`
    const ask = (args: string, text: string | Buffer = input) =>
      commanded('catalog', `import - ${args}`, { env, input: text })
    expect(await ask('')).toMatchObject(applying(1))
    expect(await ask('', gzipSync(input))).toMatchObject(applying(0, 1))
    const valid = { code: 0, output: 'valid 1, not valid 0, references to nothing 0\n' }
    expect(await ask('--dry-run')).toMatchObject(valid)
    const resumed = 'Only the import of a file can be resumed.'
    expect(await ask('--resume')).toMatchObject(refusal(resumed, 2))
    const said =
      'standard input must have one change per line, and this looks like an array. ' +
      'jq -c ".[]" makes lines of it.'
    expect(await ask('', `[${input}]`)).toMatchObject(refusal(said))
    const shown = await commanded('catalog', 'check --published -', { input })
    expect(shown.output).toBe('Published clients can read 1 line, and would refuse 0.\n')
  })

  test('names lines that are skipped with --verbose, which is nothing wrong', async () => {
    const lines = [account('v', 2), account('w', 1)].join('\n')
    expect(await importing('v.ndjson', lines, '--verbose')).toMatchObject(applying(2))
    const skipped = (line: number) => `line ${line}: skipped, what is stored is as new or newer`
    const again = await importing('v.ndjson', `${account('v', 1)}\n${account('x', 1)}`, '--verbose')
    expect(again).toMatchObject({ code: 0, said: `${skipped(1)}\n` })
    const { output } = await importing('v.ndjson', lines, '--verbose', '--json')
    expect(JSON.parse(output).lines).toEqual([
      { line: 1, isWrong: false, text: skipped(1) },
      { line: 2, isWrong: false, text: skipped(2) },
    ])
  })
})

test('a pipe is imported, keeps no state, and is not resumed', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('mkfifo', [pipe])
  const [imported] = await Promise.all([
    catalog('import', pipe),
    writeFile(pipe, account('piped', 1)),
  ])
  expect(imported).toMatchObject(applying(1))
  const said = `${pipe} is not a file, so no import of it can be resumed.\n`
  expect(await catalog('import', pipe, '--resume')).toMatchObject({ code: 1, said })
  expect(await readdir(directory)).not.toContain('pipe.import-state')
})

test('a file without a directory, such as /dev/fd/0, is imported', async ({ skip }) => {
  skip(!existsSync('/proc/self/fd'), 'There is no /proc/self/fd here.')
  const file = await open(await fileOf('opened.ndjson', account('opened', 1)))
  onTestFinished(() => file.close())
  expect(await catalog('import', `/proc/self/fd/${file.fd}`)).toMatchObject(applying(1))
})

test('a file whose name leaves no room for that of its state is imported', async () => {
  const name = `${'x'.repeat(240)}.ndjson`
  expect(await importing(name, account('long', 1))).toMatchObject(applying(1))
})

test('A dry run names invalid lines and missing references, and writes nothing', async () => {
  const catalog = catalogOn(connectToEngine())
  const group = acmeGroup('g')
  const lines = [
    group,
    put('group', { accountId: 'acme' }),
    'text',
    folder(1, 9, 10),
    folder(1, 10, null),
  ]
  const path = await fileIn(directory, 'dry.ndjson', lines)
  const { code, output, said } = await catalog('import', path, '--dry-run')
  expect([code, output]).toEqual([1, 'valid 3, not valid 2, references to nothing 3\n'])
  expect(said).toMatch(/^line 2: \/data\/name .*\nline 3: is not JSON: .*\n/)
  expect(said).toContain(
    'line 1: /data/accountId refers to account {"id":"acme"}, which is not in the file\n',
  )
  expect(said).toContain(
    'line 4: /data/deploymentId refers to deployment {"id":1}, ' +
      'which is not in the file (2 references)\n',
  )
  expect((await catalog('export')).printed).toContain('There are no such tables')
  await expect(readFile(`${path}.import-state`)).rejects.toThrow('ENOENT')
})

test('A dry run names twenty missing things, and counts the others', async () => {
  const folders = Array.from({ length: 22 }, (_, index) => folder(1, 100 + index, 200 + index))
  const path = await fileIn(directory, 'many.ndjson', folders)
  const { said } = await commanded('catalog', ['import', path, '--dry-run'])
  const named = said.match(/^line \d+: .* refers to .*$/gm)
  expect([named?.length, said]).toEqual([20, expect.stringContaining('and 3 more things are not')])
})

test('catalog init writes an example, or nothing where a file of it is there', async () => {
  const place = join(directory, 'made', 'example')
  const files = `${place}/catalog.ndjson, and ${place}/README.md, which explains it`
  expect(await catalog('init', place)).toMatchObject({ code: 0, printed: `Wrote ${files}.\n` })
  for (const name of ['catalog.ndjson', 'README.md']) {
    const written = await readFile(join(place, name), 'utf8')
    expect(written).toBe(await readFile(`cli/catalog/example/${name}`, 'utf8'))
    const own = join(directory, `has-${name}`)
    await mkdir(own)
    await fileIn(own, name, ['mine'])
    const said = `${join(own, name)} is there already. Nothing is written.\n`
    expect(await catalog('init', own)).toMatchObject({ code: 1, said })
    expect(await readFile(join(own, name), 'utf8')).toBe('mine')
    expect(await readdir(own)).toEqual([name])
  }
  const broken = join(directory, 'has-a-broken-link')
  await mkdir(broken)
  await symlink('nowhere', join(broken, 'README.md'))
  const said = `Cannot write ${broken}/README.md: it is there already.\n`
  expect(await catalog('init', broken)).toMatchObject({ code: 1, said })
  expect(await readdir(broken)).toEqual(['README.md'])
})

test('catalog init and export say which directory is not there', async () => {
  const path = await fileOf('file', '')
  const noDirectory = { code: 1, said: `${join(path, 'x')} is no directory.\n` }
  expect(await catalog('init', join(path, 'x'))).toMatchObject(noDirectory)
  await importing('one.ndjson', account('one', 1))
  for (const nowhere of [join(directory, 'nowhere'), path]) {
    const said = `Cannot write ${nowhere}/all.ndjson: there is no directory ${nowhere}.\n`
    expect(await catalog('export', join(nowhere, 'all.ndjson'))).toMatchObject({ code: 1, said })
  }
})
