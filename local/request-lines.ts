import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

/** A line of a function, as far as it matters here. */
type Entry = { readonly [field: string]: unknown; readonly requestId: string }

/** What the functions say of their invocations, beside what the gateway's line has. */
type Invocation = {
  readonly calls: number
  readonly units: number
  readonly accountId?: string
  readonly credential?: string
}

const nothing: Invocation = { calls: 0, units: 0 }

/**
 * Makes the log of a local service readable: a line for each request, such as
 * `GET /api/v1/deployments/1001/dbt-sync 200 12 ms, 5 calls, 2.5 units, apiKey of acme  AbC=`, and for each batch of catalog
 * changes. The calls to the database and the capacity units are those of the authorizer and the function together. Events
 * of the audit and failures stay one line of JSON each. What is there for metrics alone is left out.
 * @param output coloured if it is a terminal
 * @returns takes the lines of the gateway and of the functions
 */
export function requestLines(output: Writable): (line: string) => void {
  const running = new Map<string, Invocation>()
  const print = (line: string) => output.write(`${line}\n`)
  const styled = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: output })

  function printEntry({ _aws, ...entry }: Entry): void {
    const { invocation, requestId } = entry
    const isMetricAlone = _aws !== undefined && entry.event === undefined && entry.level === 'info'
    if (invocation === 'catalogSync') printBatch(entry as unknown as Batch)
    else if (invocation !== undefined) remember(requestId, entry as unknown as Invocation)
    else if (!isMetricAlone) print(JSON.stringify(entry))
  }

  function remember(requestId: string, { calls, units, ...caller }: Invocation): void {
    const before = running.get(requestId) ?? nothing
    running.set(requestId, { ...caller, calls: before.calls + calls, units: before.units + units })
  }

  function printBatch({ requestId, records, durationMs, calls, units, ...counts }: Batch): void {
    // It threw, which the queue says.
    if (records === undefined) return
    const outcomes = (['applied', 'skipped', 'refused', 'failed'] as const).flatMap((outcome) =>
      counts[outcome] ? [`${counts[outcome]} ${outcome}`] : [],
    )
    const style = counts.failed ? 'red' : counts.refused ? 'yellow' : 'green'
    const changes = styled(style, outcomes.join(', ') || 'no changes')
    const spent = `${durationMs} ms, ${counted(calls, 'call')}, ${counted(units, 'unit')}`
    print(`catalog-sync of ${counted(records, 'message')}: ${changes} ${spent}  ${styled('dim', requestId)}`)
  }

  return (line) => {
    if (line.startsWith('{')) {
      printEntry(JSON.parse(line))
      return
    }
    const [, request, status, duration, requestId] = /^(\S+ \S+) (\d{3}) (\d+)ms (\S+)$/.exec(line) ?? []
    if (request === undefined || status === undefined || requestId === undefined) {
      print(line)
      return
    }
    const { calls, units, accountId, credential } = running.get(requestId) ?? nothing
    running.delete(requestId)
    const caller = accountId === undefined ? '' : `, ${credential} of ${printable(accountId)}`
    const style = status < '400' ? 'green' : status < '500' ? 'yellow' : 'red'
    const spent = `${duration} ms, ${counted(calls, 'call')}, ${counted(units, 'unit')}${caller}`
    print(`${printable(request)} ${styled(style, status)} ${spent}  ${styled('dim', requestId)}`)
  }
}

/** The line of a batch of catalog changes. It has none of the optional counts if the function threw. */
type Batch = Pick<Invocation, 'calls' | 'units'> & {
  readonly requestId: string
  readonly records?: number
  readonly durationMs: number
  readonly applied?: number
  readonly skipped?: number
  readonly refused?: number
  readonly failed?: number
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** A terminal obeys some characters, and clients choose paths. */
const printable = (text: string): string => text.replaceAll(/[^ -~]/g, '?')
