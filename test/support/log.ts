import { beforeEach } from 'vitest'

type Entry = Record<string, unknown>

/**
 * The log of a service that is tested. When a test fails, what was logged meanwhile as an error or
 * a warning is printed.
 * @returns `logged`, the lines of functions, parsed; `log` takes lines of functions and of the
 * gateway
 */
export function testLog() {
  const logged: Entry[] = []
  const troubles: string[] = []

  beforeEach(({ task, onTestFailed }) => {
    troubles.length = 0
    onTestFailed(() => {
      if (troubles.length > 0)
        console.error(`Logged during “${task.name}”:\n${troubles.join('\n')}`)
    })
  })

  function log(line: string): void {
    const entry = line.startsWith('{') ? (JSON.parse(line) as Entry) : undefined
    if (entry) logged.push(entry)
    // The gateway's line of a request that it answered, as `GET /a 200 3ms id`, with a status below
    // 500.
    const isAnswered = / [1-4]\d\d \d+ms \S+$/.test(line)
    const isTrouble = entry ? entry.level === 'error' || entry.level === 'warn' : !isAnswered
    if (isTrouble) troubles.push(line.replaceAll('\\n', '\n'))
  }
  return { logged, log }
}
