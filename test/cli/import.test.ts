import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  appendFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { DescribeTimeToLiveCommand } from '@aws-sdk/client-dynamodb'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import { type Storage, tablesWithPrefix } from '@embed-access/core/storage/storage.ts'
import {
  type TableDefinition,
  tableDefinitions,
  tableNames,
} from '@embed-access/core/storage/tables.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openCatalogFile } from '../../cli/catalog/file.ts'
import { applyingTo, importFile, type Work } from '../../cli/catalog/importing.ts'
import { partOf } from '../../cli/catalog/private-file.ts'
import { atStart, importState } from '../../cli/catalog/state.ts'
import { createTable } from '../../cli/create-tables.ts'
import { openLines } from '../../cli/lines.ts'
import { samples } from '../catalog/samples.ts'
import { acmeGroup, folder, put, revised, workbook } from '../support/catalog.ts'
import { connectToEngine, exported, newTables } from '../support/database.ts'
import { fileIn, temporaryDirectory } from '../support/temporary.ts'
import { catalogOn, commanded, environmentOf, refusal } from './environment.ts'
import { gateToEngine } from './gate.ts'

const directory = temporaryDirectory()

const counts = (applied: number, skipped = 0, refused = 0) =>
  `applied ${applied}, skipped ${skipped}, refused ${refused}, failed 0\n`

/** What an import prints that applies so many lines, and no more. */
const applying = (applied: number, skipped = 0) => ({
  code: 0,
  printed: counts(applied, skipped),
})

const quietly = { err: { write: () => {} } }

describe('npx embed-access catalog import', () => {
  const tables = tablesWithPrefix(`import-${process.pid}`)
  const catalog = catalogOn({ tables })
  const fileOf = (file: string, content: string | Buffer) =>
    fileIn(directory, file, Buffer.isBuffer(content) ? content : [content])
  const importing = async (file: string, content: string | Buffer, ...options: string[]) =>
    catalog('import', await fileOf(file, content), ...options)

  const account = (id: string, revision: number, name = id) =>
    JSON.stringify({ kind: 'account', revision, data: { id, name } })

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

  test.each([
    [
      'utf-16.ndjson',
      Buffer.from(`\ufeff${account('x', 1)}\n`, 'utf16le'),
      'UTF-16. Save it as UTF-8.',
    ],
    [
      'packed.xz',
      Buffer.from('fd377a585a000004', 'hex'),
      'a file of another kind. Unpack it if it is an archive.',
    ],
    [
      'pretty.ndjson',
      JSON.stringify(JSON.parse(account('x', 1)), null, 2),
      'JSON on several lines. jq -c .',
    ],
    ['array.ndjson', `[\n${account('x', 1)}\n]`, 'an array.'],
    ['array-on-a-line.ndjson', `[${account('x', 1)}]`, 'an array.'],
    ['message.ndjson', `{"changes": [${account('x', 1)}]}`, 'a message of the queue.'],
  ])('says what a file is instead of lines: %s', async (name, content, what) => {
    for (const options of [[], ['--dry-run']]) {
      const { code, output, said } = await importing(name, content, ...options)
      expect([code, output, said]).toEqual([
        1,
        '',
        expect.stringContaining(`this looks like ${what}`),
      ])
      expect(said).not.toContain('--resume')
    }
  })

  test('says of each line what is wrong with its JSON, and where', async () => {
    const comment = 'is a comment; there must be one change per line, and nothing else'
    const lines: [string, string][] = [
      ...['// accounts', '  /* more', '# more'].map((line): [string, string] => [line, comment]),
      ['{"kind":"#"', 'is not JSON: it ends too early'],
      ['x # y', 'is not JSON: column 1 is wrong'],
      [
        `${account('x', 1)},`,
        'ends with a comma; there must be one change per line, without commas between them',
      ],
      ['{"kind":"account",}', 'is not JSON: there is one comma too many, before column 19'],
      ["{'kind':1}", 'is not JSON: column 2 is wrong'],
      ['{"kind":"account"', 'is not JSON: it ends too early'],
      ['{"kind":tru}', 'is not JSON: column 12 is wrong'],
      [`{"kind":${'['.repeat(100_000)}9007199254740993${']'.repeat(100_000)}}`, 'nests too deep'],
    ]
    const text = lines.map(([line]) => line).join('\n')
    const { code, said } = await importing('json.ndjson', text, '--dry-run')
    const reasons = lines.map(([, reason], index) => `line ${index + 1}: ${reason}\n`)
    expect([code, said]).toEqual([1, reasons.join('')])
    const latin1 = Buffer.from(account('x', 1, '\u00e9'), 'latin1')
    const binary = await importing('latin1.ndjson', latin1, '--dry-run')
    expect(binary.said).toBe('line 1: is not text in UTF-8\n')
  })

  test.each(['', '\n \n'])('says that a file has no changes: %j', async (content) => {
    const path = await fileOf('empty.ndjson', content)
    for (const options of [[], ['--dry-run']]) {
      expect(await catalog('import', path, ...options)).toMatchObject({
        code: 1,
        printed: `${path} has no changes.\n`,
      })
    }
    expect(await commanded('catalog', 'import - --dry-run', { input: content })).toMatchObject({
      code: 1,
      printed: 'standard input has no changes.\n',
    })
  })

  test('reads a line of any length in constant memory', async () => {
    const path = await fileOf('long.ndjson', `${account('short', 1)}\n`)
    await truncate(path, 2 ** 28)
    await appendFile(path, `\n${account('long', 1)}\n`)
    const before = process.memoryUsage().rss
    let most = 0
    const sampling = setInterval(
      () => (most = Math.max(most, process.memoryUsage().rss - before)),
      20,
    )
    const { code, printed } = await catalog('import', path, '--dry-run', '--quiet')
    clearInterval(sampling)
    await rm(path)
    expect([code, printed]).toEqual([
      1,
      'line 2: has more than 16 MiB; there must be one change per line\n' +
        'valid 2, not valid 1, references to nothing 0\n',
    ])
    expect(most).toBeLessThan(2 ** 27)
  })

  test('does not wait for the end of a first line that is too long', async () => {
    let chunks = 0
    function* typed() {
      for (; chunks < 2000; chunks += 1) yield Buffer.alloc(2 ** 16, 'x')
    }
    const said = /^Reading standard input …\n.+ looks like a file without line ends\.\n$/s
    expect(await commanded('catalog', 'import - --dry-run', { typed })).toMatchObject(refusal(said))
    expect(chunks).toBeLessThan(1000)
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
    expect(shown.output).toBe('Published clients can read 1 lines, and would refuse 0.\n')
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

  test('init writes an example, or nothing where a file of it is there', async () => {
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

  test('init and export say which directory is not there', async () => {
    const path = await fileOf('file', '')
    const noDirectory = { code: 1, said: `${join(path, 'x')} is no directory.\n` }
    expect(await catalog('init', join(path, 'x'))).toMatchObject(noDirectory)
    await importing('one.ndjson', account('one', 1))
    for (const nowhere of [join(directory, 'nowhere'), path]) {
      const said = `Cannot write ${nowhere}/all.ndjson: there is no directory ${nowhere}.\n`
      expect(await catalog('export', join(nowhere, 'all.ndjson'))).toMatchObject({ code: 1, said })
    }
  })
})

test('A dry run names invalid lines and missing references, and writes nothing', async () => {
  const catalog = catalogOn({ tables: tablesWithPrefix(`dry-${process.pid}`) })
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

test('An import stops where no line of a batch can be applied, with the reason', async () => {
  const path = await fileIn(directory, 'failing.ndjson', [
    put('group', {}),
    'text',
    put('group', {}),
  ])
  const cause = new Error('the table is gone')
  const failing = importFile(
    async (lines) => lines.map(() => ({ outcome: 'failed', reason: 'it is gone', cause })),
    path,
    quietly,
  )
  await expect(failing).rejects.toBe(cause)
})

test('An import is resumed into the same tables alone', async () => {
  const path = await fileIn(directory, 'changed.ndjson', [put('group', {})])
  const [storage, other] = [await newTables(), await newTables()]
  await expect(importState(storage, path, true)).rejects.toThrow(/no import of .+ to resume/)
  const state = await importState(storage, path, false)
  await state.keep({ ...atStart, line: 1, counts: { ...atStart.counts, applied: 1 } })
  await expect(importState(other, path, true)).rejects.toThrow(
    /went to the table .+, and not to the table .+/,
  )
  // A table of the same name at another place: here the same one, made anew.
  const kept = await readFile(`${path}.import-state`, 'utf8')
  await writeFile(`${path}.import-state`, kept.replace(/id [\w-]+/, 'id 0'))
  await expect(importState(storage, path, true)).rejects.toThrow(/with the id 0, and not to/)
  await writeFile(`${path}.import-state`, kept.slice(1))
  await expect(importState(storage, path, true)).rejects.toThrow(/no import of .+ to resume/)
  await writeFile(`${path}.import-state`, kept)
  expect((await importState(storage, path, true)).from.line).toBe(1)
  // DynamoDB Local has no ids.
  const made = (time: number) =>
    sendingThrough(storage, async () => ({ Table: { CreationDateTime: new Date(time) } }))
  await (await importState(made(1), path, false)).keep(atStart)
  await expect(importState(made(2), path, true)).rejects.toThrow(/with the id 1, and not to/)
})

/**
 * An import that is interrupted after its first batch, which has 500 lines. Only the first of them
 * is really applied.
 */
async function interruptedImport(storage: Storage, path: string): Promise<void> {
  let batches = 0
  const work: Work = async ([line, ...others]) => {
    batches += 1
    if (!line || batches > 1) throw new Error('interrupted')
    return [
      ...(await applyingTo(storage)([line])),
      ...others.map(() => ({ outcome: 'applied' }) as const),
    ]
  }
  const state = await importState(storage, path, false)
  await expect(importFile(work, path, { ...quietly, state })).rejects.toThrow('interrupted')
}

/** More groups than a batch has. */
const manyGroups = Array.from({ length: 510 }, (_, index) => acmeGroup(`g${index}`))

const group = acmeGroup('g', { description: 'once' })

test.each([
  ['is refused', put('group', {}), counts(510, 0, 1)],
  [
    'differs from what is stored',
    revised(1, put('group', { ...group.data, description: 'otherwise' })),
    counts(510, 1),
  ],
])('A resumed import ends with 1 if a line of the first part %s', async (_, line, output) => {
  const path = await fileIn(directory, 'wrong.ndjson', [line, ...manyGroups])
  const storage = await newTables([revised(1, group)])
  await interruptedImport(storage, path)
  const resumed = await catalogOn(storage)('import', path, '--resume')
  expect(resumed).toMatchObject({ code: 1, said: '', output })
})

test('An import is resumed from the first line that failed, whatever comes after it', async () => {
  const path = await fileIn(directory, 'failed.ndjson', manyGroups)
  const kept: number[] = []
  const ended: string[] = []
  const state = {
    ...{ from: atStart, isKept: () => true, requireSame: () => {} },
    keep: async ({ line }: typeof atStart) => void kept.push(line),
    end: async () => void ended.push('ended'),
  }
  const work: Work = async (lines) =>
    lines.map(({ number }) =>
      number === 7
        ? { outcome: 'failed', reason: 'no', cause: new Error('no') }
        : { outcome: 'applied' },
    )
  const { failed, applied } = await importFile(work, path, { ...quietly, state })
  expect([failed, applied, kept, ended]).toEqual([1, 509, [0], []])
})

test('An import is resumed with the same lines alone, whatever comes after them', async () => {
  const storage = await newTables()
  const path = await fileIn(directory, 'edited.ndjson', manyGroups)
  await interruptedImport(storage, path)
  const before = await readFile(path, 'utf8')
  const state = await readFile(`${path}.import-state`, 'utf8')
  const resumed = () => catalogOn(storage)('import', path, '--resume')
  const changed = refusal(
    `${path} has changed since its import stopped. Import it without --resume.`,
  )
  // The size stays.
  await writeFile(path, before.replace('"g499"', '"h499"'))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(path, before.split('\n').slice(0, 300).join('\n'))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(path, before)
  // A state of a version that kept no digest.
  await writeFile(`${path}.import-state`, state.replace(/"digest":"\w+",/, ''))
  expect(await resumed()).toMatchObject(changed)
  await writeFile(`${path}.import-state`, state)
  await writeFile(path, before.replace('"g505"', '"other"'))
  expect(await resumed()).toMatchObject(applying(510))
  expect((await exported(storage)).some((line) => line.includes('"name":"other"'))).toBe(true)
})

test('The state of an import is its owner’s, and not written to where a link leads', async () => {
  const path = await fileIn(directory, 'linked.ndjson', [put('group', {})])
  const elsewhere = await fileIn(directory, 'elsewhere', ['kept'])
  const before = await readFile(elsewhere, 'utf8')
  const state = `${path}.import-state`
  for (const name of [state, partOf(state)]) await symlink(elsewhere, name)
  const storage = await newTables()
  await (await importState(storage, path, false)).keep({ ...atStart, line: 1 })
  expect(await readFile(elsewhere, 'utf8')).toBe(before)
  expect((await lstat(`${path}.import-state`)).mode & 0o777).toBe(0o600)
  expect((await importState(storage, path, true)).from.line).toBe(1)
})

test('A line has at most 16 MiB, wherever the file ends', async () => {
  const most = Buffer.alloc(16 * 1024 * 1024, 'x')
  const lengthsOf = async (...chunks: (string | Buffer)[]) => {
    const { lines } = await openLines('-', Readable.from(chunks.map((each) => Buffer.from(each))))
    return Array.fromAsync(lines, (line) => line?.byteLength)
  }
  const all = [most.length, undefined]
  expect(await lengthsOf(most, '\n', most, 'x', '\ny')).toEqual([...all, 1])
  expect(await lengthsOf(most, '\n', most, 'x')).toEqual(all)
  expect(await lengthsOf('x\n', most)).toEqual([1, most.length])
})

test('Standard input is unzipped also if its first chunk is one byte', async () => {
  for (const text of ['first\nsecond', 'x', '']) {
    const zipped = gzipSync(text)
    const input = Readable.from([zipped.subarray(0, 1), zipped.subarray(1)])
    const lines = await Array.fromAsync((await openLines('-', input)).lines, String)
    expect(lines.join('\n')).toBe(text)
  }
})

test.each([
  ['UTF-16', Buffer.from('\ufeffx', 'utf16le')],
  ['an array', Buffer.from('[\n')],
  ['a gzipped array', gzipSync('[\n')],
])('Standard input that begins as %s is closed, since more may never come', async (_, begin) => {
  const input = new PassThrough()
  input.write(begin)
  const read = async () => {
    const file = await openCatalogFile('-', input)
    return Array.fromAsync(file.lines())
  }
  await expect(read()).rejects.toThrow(/looks like/)
  expect(input.destroyed).toBe(true)
})

test.each(['plain.ndjson', 'gzipped.ndjson.gz'])(
  'The progress of %s is what was read, and unknown at the end',
  async (name) => {
    const lines = Array.from({ length: 2000 }, () => randomBytes(200).toString('hex'))
    const file = await openCatalogFile(await fileIn(directory, name, lines))
    const progress = await Array.fromAsync(file.lines(), () => file.progress())
    expect([progress.length, progress.at(-1)]).toEqual([2000, undefined])
    expect(progress[0]).toBeLessThan(1)
  },
)
