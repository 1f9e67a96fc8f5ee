import type { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { printable, printableLines, quoted } from '@embed-access/core/catalog/quoted.ts'
import type { RecentRequest } from './playground/api.ts'

/** What looks like a credential, which somebody may have put into a path by mistake. */
export const credentials = /(?<![A-Za-z0-9])(?:sk-|eyJ)[^/]*|[\w-]{40,}/g

/** A line of a function, as far as it matters here. */
type Entry = { [field: string]: unknown; requestId: string }

type Invocation = {
  calls: number
  units: number
  accountId?: string
  credential?: string
  /** Why a credential or a session was refused. */
  reason?: string
}

const outcomes = ['applied', 'skipped', 'refused', 'failed'] as const

/** The line of a batch of catalog changes. It has no counts if the function threw. */
type Batch = Invocation & { requestId: string; records?: number; durationMs: number } & {
  [outcome in (typeof outcomes)[number]]?: number
}

/**
 * Makes the log of a local service readable. Prints a line for each batch of catalog changes and
 * for each request, such as `GET /api/v1/deployments/1001/dbt-sync 200 12 ms, 5 calls, 2.5 units,
 * apiKey of acme  AbC=`. Authorizer and function share its calls to the database and its capacity
 * units. Events of the audit and failures stay lines of JSON. Lines for metrics alone are left out.
 * In the path of a request, `…` takes the place of a credential.
 * @param output coloured if it is a terminal
 * @param tell is told of each request too
 * @returns takes the lines of the gateway and of the functions
 */
export function requestLines(
  output: Writable,
  tell: (request: Omit<RecentRequest, 'at'>) => void = () => {},
): (line: string) => void {
  const running = new Map<string, Invocation>()
  const print = (line: string) => output.write(`${line}\n`)
  const styled = (style: Parameters<typeof styleText>[0], text: string) =>
    styleText(style, text, { stream: output })
  const spent = (milliseconds: number | string, { calls, units }: Invocation) =>
    `${milliseconds} ms, ${counted(calls, 'call')}, ${counted(units, 'unit')}`

  function printEntry({ _aws, ...entry }: Entry): void {
    const { invocation, requestId } = entry
    const isMetricAlone = _aws !== undefined && entry.event === undefined && entry.level === 'info'
    if (invocation === 'catalogSync') printBatch(entry as unknown as Batch)
    else if (invocation !== undefined) remember(requestId, entry as unknown as Invocation)
    else if (!isMetricAlone) print(quoted(entry))
    rememberReason(entry)
  }

  /** An event of the audit says why its request was refused. */
  function rememberReason({ event, reason, routeKey, requestId }: Entry): void {
    if (typeof reason !== 'string' || routeKey === undefined) return
    const why = event === 'authorization.refused' ? reason : `session: ${reason}`
    running.set(requestId, { ...(running.get(requestId) ?? nothing), reason: why })
  }

  function remember(requestId: string, invocation: Invocation): void {
    const before = running.get(requestId)
    const { calls, units } = before ?? nothing
    running.set(requestId, {
      ...before,
      ...invocation,
      calls: calls + invocation.calls,
      units: units + invocation.units,
    })
  }

  function printBatch(batch: Batch): void {
    // The function threw. The queue logs that.
    if (batch.records === undefined) return
    const counts = outcomes.flatMap((outcome) =>
      batch[outcome] ? `${batch[outcome]} ${outcome}` : [],
    )
    const changes = styled(colourOf(batch), counts.join(', ') || 'no changes')
    const id = styled('dim', batch.requestId)
    const what = `catalog-sync of ${counted(batch.records, 'message')}`
    print(`${what}: ${changes} ${spent(batch.durationMs, batch)}  ${id}`)
  }

  return (line) => {
    if (line.startsWith('{')) return printEntry(JSON.parse(line))
    const [, request, status = '', duration = '', id = ''] =
      /^(\S+ \S+) (\d{3}) (\d+)ms (\S+)$/.exec(line) ?? []
    if (request === undefined) return void print(printableLines(line))
    const invocation = running.get(id) ?? nothing
    running.delete(id)
    const { accountId, credential, reason } = invocation
    const who = accountId && `${credential} of ${printable(accountId)}`
    const caller = who ? `, ${who}` : ''
    tell({ id, request, status: Number(status), milliseconds: Number(duration), who, reason })
    const colour = colourOf({ failed: status >= '500', refused: status >= '400' })
    const answer = `${printable(request.replaceAll(credentials, '…'))} ${styled(colour, status)}`
    print(`${answer} ${spent(duration, invocation)}${caller}  ${styled('dim', id)}`)
  }
}

const nothing: Invocation = { calls: 0, units: 0 }

function colourOf({ failed, refused }: { failed?: unknown; refused?: unknown }) {
  if (failed) return 'red'
  return refused ? 'yellow' : 'green'
}

/** `1 line`, `2 lines` */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
