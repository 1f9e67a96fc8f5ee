import { readdirSync, readFileSync } from 'node:fs'

/** Resident memory of a process in MB, 0 once it has ended. Linux only, as the others here. */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes ?? 0) / 1024)
}

/**
 * What a process has used of the CPU since it began, in milliseconds: two fields in hundredths of a
 * second.
 */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Files that a process has open, sockets for the most part. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
