import { randomBytes } from 'node:crypto'
import { appendFile, rm, truncate } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openCatalogFile } from '../../cli/catalog/file.ts'
import { openLines } from '../../cli/lines.ts'
import { fileIn } from '../support/temporary.ts'
import { commanded, refusal } from './environment.ts'
import { account, importsOfTests } from './imports.ts'

const { directory, catalog, fileOf, importing } = importsOfTests()

describe('npx embed-access catalog import', () => {
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
