import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  /** Where it answers; left out: at an address of this machine that nobody can guess. */
  readonly endpoint?: string
}

/** How long the engine may take until it answers, in milliseconds. */
const timeoutMs = 10_000

const keeper = fileURLToPath(new URL('engine-keeper.ts', import.meta.url))

/**
 * Starts the embedded DynamoDB engine.
 * @throws Error with a plain sentence where there is no engine for this platform, or it doesn't start
 */
export async function startEngine({ dataDirectory, endpoint: wanted }: EngineOptions): Promise<Engine> {
  const endpoint = wanted ?? `http://${loopback()}:${await freePort()}`
  const { hostname, port } = new URL(endpoint)
  const options = ['serve', '--host', hostname, '-p', port]
  if (dataDirectory !== undefined) {
    await mkdir(dataDirectory, { recursive: true })
    options.push('--db-path', join(dataDirectory, 'dynamodb.sqlite'))
  }
  // Detached: Ctrl-C in a terminal is for the parent, which ends the engine last.
  const child = spawn(process.execPath, [keeper, engineBinary(), ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const stop = () => {
    child.stdin?.end()
    return ended
  }
  try {
    await untilItAnswers(endpoint, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, ended, stop }
}

/**
 * An address that is this machine. The engine lets every web page in, and a page can try all ports of 127.0.0.1, but not
 * those of 16 million addresses. macOS has no other than that one.
 */
const loopback = (): string =>
  process.platform === 'darwin' ? '127.0.0.1' : `127.${[...randomBytes(3)].map((byte) => (byte % 254) + 1).join('.')}`

/** @throws Error with the way out if no engine is installed for this platform */
export function engineBinary({ platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process): string {
  try {
    const manifest = createRequire(import.meta.url).resolve(`@dynoxide/${platform}-${arch}/package.json`)
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
  } catch {
    throw new Error(
      `There is no embedded DynamoDB engine for ${platform}-${arch}. ` +
        'Run `docker run --detach --publish 8000:8000 amazon/dynamodb-local`, and set DYNAMODB_ENDPOINT to http://127.0.0.1:8000.',
    )
  }
}

async function untilItAnswers(endpoint: string, child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-2000)
  })
  let over = false
  child.once('exit', () => (over = true)).once('error', () => (over = true))
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    if (over) break
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`The embedded DynamoDB engine did not start. ${said.trim()}`)
}
