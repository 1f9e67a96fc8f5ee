import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** `npm start` on any free port, in a process of its own. */
export type Server = { readonly url: string; readonly pid: number; stop(): void }

/** @param options of `npm start`, besides the port */
export async function startServer(...options: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, ['cli/start.ts', '--port', '0', ...options], {
    env: { ...process.env, DYNAMODB_ENDPOINT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (text) => {
      printed = `${printed}${text}`.slice(-10_000)
      const found = /Listening on (\S+)/.exec(printed)
      if (found) resolve(found[1] as string)
    })
    child.once('exit', () => reject(new Error('The server ended.')))
  })
  return { url, pid: child.pid as number, stop: () => child.kill('SIGINT') }
}

/** Resident memory of a process in MB, 0 once it has ended. Linux only, as the others here. */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

/** What a process has used of the CPU since it began, in milliseconds: two fields in hundredths of a second. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Files that a process has open, sockets for the most part. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
