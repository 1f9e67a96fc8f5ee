import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

export type Engine = {
  readonly endpoint: string
  /** Settles when the engine has ended, whoever ended it. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

type EngineOptions = {
  /** Where it keeps its data; left out: in memory. */
  readonly dataDirectory?: string | undefined
  /** Left out: a free port. */
  readonly port?: number
}

/** How long the engine may take until it answers, in milliseconds. */
const patience = 10_000

/**
 * Runs the engine until this shell's input ends. That happens too when the process that holds the other end is killed
 * outright, so the engine never outlives it.
 */
const untilInputEnds = `
exec 3<&0
"$@" 3<&- & engine=$!
(read -r _ <&3; kill "$engine" 2>/dev/null) &
wait "$engine"`

/**
 * Starts the embedded DynamoDB engine.
 * @throws Error with a plain sentence where there is no engine for this platform, or it doesn't start
 */
export async function startEngine({ dataDirectory, port: wanted }: EngineOptions): Promise<Engine> {
  const port = wanted ?? (await freePort())
  const options = ['serve', '--host', '127.0.0.1', '-p', String(port)]
  if (dataDirectory !== undefined) {
    await mkdir(dataDirectory, { recursive: true })
    options.push('--db-path', join(dataDirectory, 'dynamodb.sqlite'))
  }
  // Detached: Ctrl-C in a terminal is for the parent, which ends the engine last.
  const shell = spawn('sh', ['-c', untilInputEnds, 'sh', engineBinary(), ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()).once('error', () => resolve()))
  // The shell's watcher of the input would outlive an engine that ended by itself.
  ended.then(() => shell.stdin?.end())
  const endpoint = `http://127.0.0.1:${port}`
  const stop = () => {
    shell.stdin?.end()
    return ended
  }
  try {
    await untilItAnswers(endpoint, shell)
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, ended, stop }
}

function engineBinary(): string {
  const { platform, arch } = process
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}-${arch}/package.json`)
    return join(dirname(manifest), 'dynoxide')
  } catch {
    throw new Error(
      `There is no embedded DynamoDB engine for ${platform}-${arch}. ` +
        'Start another one, such as DynamoDB Local, and set DYNAMODB_ENDPOINT to its address.',
    )
  }
}

async function untilItAnswers(endpoint: string, shell: ChildProcess): Promise<void> {
  let said = ''
  shell.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-2000)
  })
  let over = false
  shell.once('exit', () => (over = true)).once('error', () => (over = true))
  for (const deadline = Date.now() + patience; Date.now() < deadline; ) {
    if (over) break
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`The embedded DynamoDB engine did not start. ${said.trim()}`)
}
