import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local/free-port.ts'
import { load, postgresFolder } from './packages.ts'

export type Connection = {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

/** What is used of the package pg. */
export type Pg = {
  readonly Pool: new (
    options: Connection & { readonly max?: number },
  ) => {
    query(query: string | Query, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>
    end(): Promise<void>
  }
}
type Query = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/** PostgreSQL refuses to run as root. Root's is run by nobody, whose number this is on most systems. */
const nobody = 65_534

/** Starts a PostgreSQL with the settings that it comes with, in a new folder. It ends with this process. */
export async function startPostgres(): Promise<{ readonly connection: Connection; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'embed-access-load-'))
  const [programs, data, passwordFile] = ['programs', 'data', 'password'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  // Nobody may not look into the folders of other users.
  cpSync(postgresFolder(), programs, { recursive: true, verbatimSymlinks: true })
  mkdirSync(data, { mode: 0o700 })
  const password = randomBytes(16).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  if (asNobody.uid !== undefined) {
    chmodSync(folder, 0o755)
    for (const path of [data, passwordFile]) chownSync(path, nobody, nobody)
  }
  const user = 'postgres'
  const initial = [
    '-D',
    data,
    '-U',
    user,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
  ]
  execFileSync(join(programs, 'bin/initdb'), initial, {
    ...asNobody,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=120']
  const options = settings.flatMap((setting) => ['-c', setting])
  // The shell ends it when standard input does, which it also does when this process is killed.
  const script = '"$0" "$@" </dev/null & cat; kill -INT $!; wait'
  const server = spawn('sh', ['-c', script, join(programs, 'bin/postgres'), '-D', data, ...options], {
    ...asNobody,
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const connection = { host: '127.0.0.1', port, user, password, database: 'postgres' }
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const stop = async () => {
    server.stdin.end()
    if (server.exitCode === null) await once(server, 'exit')
    remove()
  }
  await untilItAnswers(connection).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { connection, stop }
}

async function untilItAnswers(connection: Connection): Promise<void> {
  const { Pool } = load<Pg>('pg')
  for (let attempt = 1; ; attempt += 1) {
    const pool = new Pool({ ...connection, max: 1 })
    try {
      await pool.query('SELECT 1')
      return
    } catch (error) {
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await pool.end()
    }
  }
}
