import type { Readable } from 'node:stream'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { verb } from '../command.ts'
import { openLines } from '../lines.ts'
import { type Entry, entriesIn } from '../log-entries.ts'
import { linesTo, sayItReads, shown, type Terminal } from '../terminal.ts'
import { jtiFrom } from './revoke.ts'

export const trace = (terminal: Terminal) =>
  verb('trace', 'Says what became of a session, from lines of the log.', {
    examples: ['npx embed-access sessions trace 0VxQb5nP2kzTq1hWc7LdEA functions.log'],
    one: 'no line is about the session',
  })
    .argument('<jti>', 'the jti of the session', jtiFrom)
    .argument('[files...]', 'files with the lines, gzipped or not (default: standard input)')
    .option('--json', 'prints {"jti", "entries"}, the lines of the log in order of time')
    // One of 64 `jti`s begins with a hyphen, and would be taken for an option.
    .allowUnknownOption()
    .action(async (jti, files, { json }, command) => {
      const option = files.find((file) => /^-./.test(file))
      if (option !== undefined) command.error(`Unknown option '${option}'`)
      if (files.length === 0) sayItReads(terminal)
      const entries = await traceOf(jti, files, terminal.in, linesTo(terminal.err))
      linesTo(terminal.out)(json ? quoted({ jti, entries }) : entries.map(described).join('\n'))
    })

/**
 * What became of a session, from lines of the functions' logs.
 * @param input has the lines if no file is named
 * @param say gets what could not be read
 * @returns the entries in order of time
 */
async function traceOf(
  jti: string,
  files: readonly string[],
  input: Readable,
  say: (line: string) => void,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const file of new Set(files.length > 0 ? files : ['-'])) {
    const { name, lines } = await openLines(file, input)
    let unread = 0
    for await (const line of lines) {
      if (line === undefined) say(`${name} has a line of more than 16 MiB, which is left out.`)
      if (!line?.includes(jti)) continue
      const inLine = entriesIn(line.toString())
      if (inLine === undefined) unread += 1
      else entries.push(...inLine.filter((entry) => isAbout(jti, entry)))
    }
    if (unread > 0)
      say(
        `Lines of ${name} that name it, but are not one JSON object: ${unread}. They are left ` +
          'out. If there are no line ends, pipe it through jq -c.',
      )
  }
  if (entries.length === 0) throw new Error(`No line is about ${jti}.`)
  return entries.sort((a, b) => String(a.time).localeCompare(String(b.time)))
}

/** Whether an entry is an event of the session itself, or of a request with its token. */
const isAbout = (jti: string, { event, jti: own, by }: Entry): boolean =>
  event !== undefined && (own === jti || Object(by).credential?.jti === jti)

/** Fields for CloudWatch's counts, and those with which the printed line begins. */
const omitted = new Set(['level', 'issuer', '_aws', 'time', 'event', 'jti'])

const described = ({ time, event, ...entry }: Entry): string => {
  const fields = Object.entries(entry).filter(([name]) => !omitted.has(name) && name !== event)
  const named = fields.map(([name, value]) => `${shown(name)}=${shown(value)}`)
  return [shown(time ?? ''), shown(event), ...named].join('  ')
}
