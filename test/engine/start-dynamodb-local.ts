import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../local/engine.ts'
import { answering } from '../support/answering.ts'

const libraries = fileURLToPath(
  new URL('../../node_modules/.cache/dynamodb-local', import.meta.url),
)

/** Fetches AWS's DynamoDB Local and starts it, in memory. Takes Java 17 and Maven. */
export async function startDynamoDbLocal() {
  const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
    { stdio: ['ignore', process.stderr, process.stderr] },
  )
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const { stop } = await answering(endpoint, 'java', [
    `-Djava.library.path=${libraries}`,
    '-cp',
    [libraries, join(libraries, '*')].join(delimiter),
    'software.amazon.dynamodb.services.local.main.ServerRunner',
    ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
  ])
  return { endpoint, stop }
}
