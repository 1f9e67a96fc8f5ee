import { type ChildProcess, spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { realpath, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDirectory } from './make-directory.ts'

export type Engine = {
  endpoint: string
  ended: Promise<void>
  stop(): Promise<void>
}

type Platform = Pick<NodeJS.Process, 'platform' | 'arch'>

/** How long the engine may take until it answers, in milliseconds. */
const timeoutMs = 60_000

/** An absolute path: the engine takes `-x/…` for an option, and SQLite `file:x/…` for a URI. */
export const databaseFile = (directory: string): string => resolve(directory, 'dynamodb.sqlite')

const engineProcess = fileURLToPath(new URL('engine-process.ts', import.meta.url))

/** Starts the embedded DynamoDB engine. It keeps its data in the directory, or else in memory. */
export async function startEngine(dataDirectory?: string): Promise<Engine> {
  const hostname = loopback()
  const port = String(await freePort())
  const endpoint = `http://${hostname}:${port}`
  const args = [engineProcess, engineBinary(), 'serve', '--host', hostname, '-p', port]
  const claim = dataDirectory === undefined ? undefined : await claimDirectory(dataDirectory)
  if (dataDirectory !== undefined) args.push('--db-path', databaseFile(dataDirectory))
  // Detached: Ctrl-C in a terminal is for the parent, which ends the engine last.
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    windowsHide: true,
  })
  const ended = new Promise<unknown>((resolve) =>
    child.once('exit', resolve).once('error', resolve),
  ).then(() => void claim?.close())
  const stop = () => {
    child.stdin?.end()
    return ended
  }
  await untilItAnswers(endpoint, child).catch(async (error) => {
    await stop()
    throw error
  })
  return { endpoint, ended, stop }
}

/**
 * The engine answers every web page. A page can try all ports of 127.0.0.1, but not of 16 million
 * addresses. macOS has only 127.0.0.1.
 */
export const loopback = (): string =>
  process.platform === 'darwin'
    ? '127.0.0.1'
    : `127.${[...randomBytes(3)].map((byte) => (byte % 254) + 1).join('.')}`

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Claims a directory for this process: two engines on one file would lose each other's writes. Only
 * its owner may open it, because it keeps private keys. The claim is a socket with a name and no
 * file, so a killed process leaves nothing behind. Only Linux has such sockets.
 */
async function claimDirectory(directory: string): Promise<Server | undefined> {
  await makeDirectory(directory, 0o700)
  // Windows has no such modes.
  if (process.platform !== 'win32' && ((await stat(directory)).mode & 0o077) !== 0) {
    const advice = 'Run chmod 700 on it, or choose another directory with --data.'
    throw new Error(`Others may open ${directory}, which keeps private keys. ${advice}`)
  }
  if (process.platform !== 'linux') return undefined
  const name = `\0embed-access-${hash('sha256', await realpath(directory), 'hex')}`
  const claim = createServer().unref().listen(name)
  await once(claim, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    const advice = 'End that one, or choose another directory with --data.'
    throw new Error(`Another service uses ${directory}. ${advice}`)
  })
  return claim
}

/** @throws Error with the way out if no engine is installed for this platform */
export function engineBinary({ platform, arch }: Platform = process): string {
  const { resolve } = createRequire(import.meta.url)
  try {
    const manifest = resolve(`@dynoxide/${platform}-${arch}/package.json`)
    return join(dirname(manifest), platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
  } catch {
    throw new Error(
      `There is no embedded DynamoDB engine for ${platform}-${arch}. ` +
        'Run `docker run --detach --publish 8000:8000 amazon/dynamodb-local`, and set ' +
        'DYNAMODB_ENDPOINT to http://127.0.0.1:8000.',
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
