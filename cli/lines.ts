import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf, reasonIn } from './terminal.ts'

/** The longest line that is read, in bytes. A change or a line of a log is far shorter. */
const mostBytes = 16 * 1024 * 1024

/**
 * Opens a file of lines, which may be gzipped. A line is undefined if it is too long.
 * @param path the path of the file, or `-` to read from `input`
 * @throws Error with a plain sentence if the file cannot be read
 */
export async function openLines(path: string, input: Readable = process.stdin) {
  const file = path === '-' ? undefined : createReadStream(path)
  const name = file ? path : 'standard input'
  const source = file ?? input
  let content: AsyncIterable<Buffer>
  try {
    let begun = await begunOf(source)
    if (begun.head === '1f8b') begun = await begunOf(unzipped(begun.content, source))
    if (/fffe|feff/.test(begun.head)) throw new Error('this looks like UTF-16. Save it as UTF-8')
    content = begun.content
  } catch (error) {
    source.destroy()
    throw unreadable(name, error)
  }
  const size = file ? (await stat(path)).size : 0
  return {
    name,
    lines: linesOf(name, content, source),
    /**
     * How much of the file was read so far, from 0 to 1. Undefined once all of it was, and for
     * standard input.
     */
    progress: (): number | undefined =>
      file && file.bytesRead < size ? file.bytesRead / size : undefined,
  }
}

/**
 * Unzips a stream. If a zero byte follows a part of the gzip data, Node stops there and gives no
 * error. So this gives one.
 */
async function* unzipped(
  content: AsyncGenerator<Buffer>,
  source: Readable & { bytesRead?: number },
) {
  const gunzip = createGunzip()
  yield* pipeline(content, gunzip, () => {}) as AsyncIterable<Buffer>
  if (gunzip.bytesWritten < (source.bytesRead ?? 0))
    throw new Error('a zero byte is between or after its gzip data')
}

/** Reads the first two bytes. The content has them too. The first chunk of a pipe may be one. */
async function begunOf(source: Readable | AsyncGenerator<Buffer>) {
  const rest = source[Symbol.asyncIterator]()
  let begin = Buffer.alloc(0)
  while (begin.byteLength < 2) {
    const next = await rest.next()
    if (next.done) break
    begin = Buffer.concat([begin, next.value])
  }
  async function* content() {
    yield begin
    yield* rest
  }
  return { head: begin.toString('hex', 0, 2), content: content() }
}

/** Splits by bytes, because readline also splits at U+2028, which a line may have. */
async function* linesOf(path: string, content: AsyncIterable<Buffer>, source: Readable) {
  let parts: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of content) {
      for (let start = 0, end = 0; end !== -1; start = end + 1) {
        end = chunk.indexOf('\n', start)
        const part = chunk.subarray(start, end === -1 ? undefined : end)
        const wasTooLong = length > mostBytes
        length += part.byteLength
        const isTooLong = length > mostBytes
        parts = isTooLong ? [] : [...parts, part]
        // At once, because the end of the line may never come.
        if (isTooLong && !wasTooLong) yield undefined
        if (end === -1) continue
        if (!isTooLong) yield Buffer.concat(parts)
        parts = []
        length = 0
      }
    }
    if (length > 0 && length <= mostBytes) yield Buffer.concat(parts)
  } catch (error) {
    throw unreadable(path, error)
  } finally {
    // If not all of it was read, an open pipe would keep the process alive.
    source.destroy()
  }
}

export function unreadable(path: string, error: unknown): Error {
  const reasons = {
    ENOENT: 'there is no such file',
    ENOTDIR: 'there is no such directory',
    EISDIR: 'it is a directory',
    EACCES: 'it may not be read',
    Z_BUF_ERROR: 'its gzip data ends too early',
    Z_DATA_ERROR: 'its gzip data is damaged',
  }
  const reason = reasonIn(reasons, error) ?? messageOf(error)
  return new Error(`Cannot read ${path || "''"}: ${reason}.`, { cause: error })
}
