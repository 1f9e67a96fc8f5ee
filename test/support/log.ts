import { beforeEach } from 'vitest'

type Entry = Record<string, unknown>

/**
 * The log of a service that is tested. When a test fails, what was logged meanwhile as an error or a warning is printed.
 * @returns `logged`, the lines of functions, parsed; `log` takes lines of functions and of the gateway
 */
export function testLog(): { readonly logged: Entry[]; log(line: string): void } {
  const logged: Entry[] = []
  const troubles: string[] = []

  beforeEach(({ task, onTestFailed }) => {
    troubles.length = 0
    onTestFailed(() => {
      if (troubles.length > 0) console.error(`Logged during “${task.name}”:\n${troubles.join('\n')}`)
    })
  })

  return {
    logged,
    log(line) {
      const entry = line.startsWith('{') ? (JSON.parse(line) as Entry) : undefined
      if (entry) logged.push(entry)
      if (entry ? isTrouble(entry) : !isAnswered(line)) troubles.push(entry ? readable(entry) : line)
    },
  }
}

const isTrouble = ({ level }: Entry): boolean => level === 'error' || level === 'warn'

/** The gateway's line of a request that it answered, as `GET /a 200 3ms id`, with a status below 500. */
const isAnswered = (line: string): boolean => / [1-4]\d\d \d+ms \S+$/.test(line)

/** A stack is printed line by line, everything else as JSON. */
function readable({ stack, ...rest }: Entry): string {
  return [JSON.stringify(rest), ...(typeof stack === 'string' ? [stack] : [])].join('\n')
}
