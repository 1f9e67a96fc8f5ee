import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

/** What the functions say of their invocations, beside what the gateway's line has. */
type Invocation = {
  readonly requestId: string
  readonly calls: number
  readonly units: number
  readonly accountId?: string
  credential?: string
}

const nothing: Omit<Invocation, 'requestId'> = { calls: 0, units: 0 }

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Makes the log of a local service readable: a line for each request, such as
 * `GET /api/v1/deployments/1001/dbt-sync 200 12 ms, 5 calls, 2.5 units, apiKey of acme  AbC=`. The calls to the database and
 * the capacity units are those of the authorizer and the function together. Events of the audit and failures stay as they are, one line of JSON each.
 * @param output coloured if it is a terminal
 * @returns takes the lines of the gateway and of the functions
 */
export function requestLines(output: Writable): (line: string) => void {
  const running = new Map<string, Invocation>()
  const print = (line: string) => output.write(`${line}\n`)
  const styled = (style: Parameters<typeof styleText>[0], text: string) => styleText(style, text, { stream: output })

  return (line) => {
    const invocation = invocationIn(line)
    if (invocation) {
      const { requestId, calls, units } = invocation
      const before = running.get(requestId) ?? nothing
      running.set(requestId, { ...invocation, calls: before.calls + calls, units: before.units + units })
      return
    }
    const [, request, status, duration, requestId] = /^(\S+ \S+) (\d{3}) (\d+)ms (\S+)$/.exec(line) ?? []
    if (request === undefined || status === undefined || requestId === undefined) return print(line)
    const { calls, units, accountId, credential } = running.get(requestId) ?? nothing
    running.delete(requestId)
    const caller = accountId === undefined ? '' : `, ${credential} of ${printable(accountId)}`
    const style = status < '400' ? 'green' : status < '500' ? 'yellow' : 'red'
    const spent = `${duration} ms, ${counted(calls, 'call')}, ${counted(units, 'unit')}${caller}`
    print(`${printable(request)} ${styled(style, status)} ${spent}  ${styled('dim', requestId)}`)
  }
}

function invocationIn(line: string): Invocation | undefined {
  const entry = line.startsWith('{') ? JSON.parse(line) : {}
  return entry.invocation === undefined ? undefined : entry
}

/** A terminal obeys some characters, and clients choose paths. */
const printable = (text: string): string => text.replaceAll(/[^ -~]/g, '?')
