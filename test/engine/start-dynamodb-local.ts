import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../local/engine.ts'

const libraries = fileURLToPath(
  new URL('../../node_modules/.cache/dynamodb-local', import.meta.url),
)

/** How long Java may take to start, in milliseconds. */
const patience = 60_000

/** Fetches AWS's DynamoDB Local and starts it, in memory. Takes Java 17 and Maven. */
export async function startDynamoDbLocal() {
  const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
    { stdio: ['ignore', process.stderr, process.stderr] },
  )
  const port = await freePort()
  const server = spawn(
    'java',
    [
      `-Djava.library.path=${libraries}`,
      '-cp',
      [libraries, join(libraries, '*')].join(delimiter),
      'software.amazon.dynamodb.services.local.main.ServerRunner',
      ...['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const endpoint = `http://127.0.0.1:${port}`
  async function stop(): Promise<void> {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }
  for (
    const deadline = Date.now() + patience;
    Date.now() < deadline && server.exitCode === null;
  ) {
    if (await fetch(endpoint).catch(() => undefined)) return { endpoint, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error('DynamoDB Local did not start.')
}
