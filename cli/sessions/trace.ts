import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { quoted } from '@embed-access/core/catalog/quoted.ts'

type Entry = Readonly<Record<string, unknown>>

/**
 * Tells what became of a session, from lines of the functions' logs. What stands before the JSON of a line is passed over,
 * such as the time that `aws logs tail` writes.
 * @param args the `jti`, then files; without files, lines come from standard input
 * @returns lines in order of time
 */
export async function* trace([jti, ...files]: readonly string[]): AsyncGenerator<string> {
  if (jti === undefined) throw new Error('Say which session: npm run sessions -- trace JTI [FILE ...].')
  const entries: Entry[] = []
  for (const file of files.length > 0 ? files : [undefined]) {
    const input = file === undefined ? process.stdin : createReadStream(file)
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const entry = line.includes(jti) ? entryIn(line) : undefined
      if (entry?.event !== undefined && isAbout(jti, entry)) entries.push(entry)
    }
  }
  if (entries.length === 0) yield `No line is about ${jti}.`
  yield* entries.sort((a, b) => String(a.time).localeCompare(String(b.time))).map(described)
}

function entryIn(line: string): Entry | undefined {
  try {
    return JSON.parse(line.slice(line.indexOf('{')))
  } catch {
    return undefined
  }
}

/** Of the session itself, or made with its token. */
const isAbout = (jti: string, { jti: own, by }: Entry): boolean =>
  own === jti || (by as { credential?: { jti?: unknown } } | undefined)?.credential?.jti === jti

/** The fields that CloudWatch counts by, or that stand at the beginning of the line. */
const left = new Set(['level', 'issuer', '_aws', 'time', 'event', 'jti'])

const described = ({ time, event, ...entry }: Entry): string => {
  const fields = Object.entries(entry).filter(([name]) => !left.has(name) && name !== event)
  return [shown(time ?? ''), shown(event), ...fields.map(([name, value]) => `${shown(name)}=${shown(value)}`)].join(
    '  ',
  )
}

/** Text of a request may be anything. As JSON it has nothing that a terminal would obey. */
const shown = (value: unknown): string =>
  typeof value === 'string' && /^[\w.:/{}#@-]+$/.test(value) ? value : quoted(value)
