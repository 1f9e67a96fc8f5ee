import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import type { TableName } from '@embed-access/core/storage/tables.ts'
import { expect, inject, onTestFinished, vi } from 'vitest'
import { run } from '../../cli/command.ts'
import { embedAccess } from '../../cli/embed-access.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { tableVariables } from '../../functions/runtime/environment.ts'
import { acmeAccount, acmeGroup, without } from '../support/catalog.ts'
import { newTables } from '../support/database.ts'
import { patient } from '../support/patient.ts'
import { serving } from '../support/temporary.ts'

export function environmentOf(
  tables: Storage['tables'],
  DYNAMODB_ENDPOINT = inject('engineEndpoint'),
): Record<string, string> {
  const named = Object.entries(tableVariables).map(([table, variable]) => [
    variable,
    tables[table as TableName],
  ])
  return { DYNAMODB_ENDPOINT, ...Object.fromEntries(named) }
}

/** Tables with a deleted account, and one thing that it still has. */
export function tablesToPurge(): Promise<Storage> {
  return newTables([acmeAccount(), acmeGroup('g'), without(acmeAccount())])
}

/** Has the SDK find a service at an address, as if it was AWS's, until the end of the test. */
export function onAws(url: string, service = 'DYNAMODB'): void {
  onTestFinished(() => void vi.unstubAllEnvs())
  stubAws(url, service)
}

/** The same, until somebody calls `vi.unstubAllEnvs`. */
export function stubAws(url: string, service: string): void {
  vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, url)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  // The developer's own: a profile counts before the key, and the other hides the address.
  vi.stubEnv('AWS_PROFILE', undefined)
  vi.stubEnv('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS', undefined)
}

/**
 * Has the SDK find, as if it was that of AWS, a service that answers each operation so, until the
 * end of the test. An answer with a `__type` is a refusal.
 */
export async function answeringAsAws<Input>(
  answer: (operation: string, input: Input) => object,
  service?: string,
): Promise<void> {
  const { url } = await serving(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] as string
    const answered = answer(operation, JSON.parse(await text(request)))
    response.statusCode = '__type' in answered ? 400 : 200
    response.setHeader('content-type', 'application/x-amz-json-1.0')
    response.end(JSON.stringify(answered))
  })
  onAws(url, service)
}

export const catalogOn =
  ({ tables }: Pick<Storage, 'tables'>) =>
  (...args: readonly string[]) =>
    commanded('catalog', args, { env: environmentOf(tables) })

/**
 * What a command prints that does not do what it was asked to.
 * @param said a text is all of it, without the end of its last line
 */
export const refusal = (said: RegExp | string, code = 1) => ({
  code,
  output: '',
  said: typeof said === 'string' ? `${said}\n` : expect.stringMatching(said),
})

type Around = {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  /** What a person types at a terminal. Without it there is none. */
  readonly typed?: string | (() => Iterable<Buffer>)
  /** The command's clock, and how it waits for the database. Left out: the real ones. */
  readonly time?: Pick<Terminal, 'now' | 'pause'>
}

/**
 * Runs a command in this process, and gives its exit code and what it printed: to stdout, to
 * stderr, and to either.
 * @param name empty where `args` begin with it
 * @param args its words, or a text with spaces between them. Within single quotes a space is part
 * of a word.
 */
export async function commanded(
  name: string,
  args: string | readonly string[],
  { env, input = '', typed, time }: Around = {},
) {
  const said = { output: '', said: '', printed: '' }
  const collecting = (where: 'output' | 'said') =>
    new Writable({
      write(text, _, done) {
        said[where] += text
        said.printed += text
        done()
      },
    })
  const terminal: Terminal = {
    in: Object.assign(
      Readable.from(typeof typed === 'function' ? typed() : [Buffer.from(typed ?? input)]),
      { isTTY: typed !== undefined },
    ),
    out: collecting('output'),
    // No time passes for what it says, so that a slow machine prints no line of progress.
    err: Object.assign(collecting('said'), { isTTY: typed !== undefined, now: () => 0 }),
    env: { PATH: process.env.PATH, ...env },
    now: Date.now,
    ...time,
    connect(...place) {
      const storage = patient(connect(...place))
      return { ...storage, pause: time?.pause ?? storage.pause }
    },
    exitCode: 0,
  }
  const words =
    typeof args === 'string'
      ? args.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", ''))
      : args
  const code = await run(embedAccess, [name, ...(words ?? [])].filter(Boolean), terminal)
  return { code, ...said, interrupted: () => terminal.interrupted?.() }
}
