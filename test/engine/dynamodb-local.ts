import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command } from '../../cli/chosen.ts'
import { freePort } from '../../local/engine.ts'

const help = `Usage: npm run prove -- dynamodb-local [FILES AND OPTIONS OF VITEST]

Runs the tests against AWS's DynamoDB Local, all of them or those named. Needs Java 17 and Maven, which fetches it.
DynamoDB Local listens at all addresses of this machine while the tests run.
`

const libraries = fileURLToPath(
  new URL('../../node_modules/.cache/dynamodb-local', import.meta.url),
)

/** How long Java may take to start, in milliseconds. */
const patience = 60_000

function fetchLibraries(): void {
  const pom = fileURLToPath(new URL('pom.xml', import.meta.url))
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`],
    {
      stdio: ['ignore', process.stderr, process.stderr],
    },
  )
}

await command(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help')) {
    process.stdout.write(help)
    return
  }
  fetchLibraries()
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
  try {
    const endpoint = `http://127.0.0.1:${port}`
    await untilItAnswers(endpoint)
    const env = { ...process.env, DYNAMODB_ENDPOINT: endpoint }
    process.exitCode = spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env }).status ?? 1
  } finally {
    server.kill()
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
  }

  async function untilItAnswers(endpoint: string): Promise<void> {
    for (
      const deadline = Date.now() + patience;
      Date.now() < deadline && server.exitCode === null;
    ) {
      if (await fetch(endpoint).catch(() => undefined)) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('DynamoDB Local did not start.')
  }
})
