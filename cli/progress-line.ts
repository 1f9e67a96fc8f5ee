import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { counted } from '../local/request-lines.ts'
import { linesTo, type Output } from './terminal.ts'

/** A bar that redraws itself on a terminal. Elsewhere it writes a line at most once a second. */
export function progressLine(stream: Output, isQuiet = false) {
  const now = () => stream.now?.() ?? performance.now()
  const started = now()
  let last = started
  let shareBefore: number | undefined
  const clear = (): void => {
    if (stream.isTTY && !isQuiet) stream.write('\r\x1b[K')
  }
  const say = (text: string, bar = ''): void => {
    if (isQuiet) return
    // The terminal would break a longer text into two lines, and \r goes back to the second only.
    const most = (stream.columns || 80) - 1
    if (stream.isTTY) stream.write(`\r\x1b[K${`${bar}${text}`.slice(0, most)}`)
    else if (now() - last >= 1000) {
      last = now()
      stream.write(`${text}\n`)
    }
  }
  return {
    say,
    /**
     * @param share of all lines, from 0 to 1, if it is known
     * @param before how many lines an earlier run has done, which take no time now
     */
    show(lines: number, share?: number, before = 0): void {
      const seconds = (now() - started) / 1000
      shareBefore ??= before > 0 ? (share ?? 0) : 0
      const secondsLeft = share && (seconds * (1 - share)) / (share - shareBefore)
      const filled = '#'.repeat(Math.round((share ?? 0) * 30))
      const bar = share === undefined ? '' : `[${filled.padEnd(30, '.')}] `
      const speed = Math.round((lines - before) / seconds)
      say(`${counted(lines, 'line')}, ${speed}/s${timeLeft(secondsLeft)}`, bar)
    },
    interrupt(text: string): void {
      clear()
      linesTo(stream)(text)
    },
    end: clear,
  }
}

/** `, 1:05 left`, in minutes and seconds; empty if it is less than one, or unknown. */
function timeLeft(seconds = 0): string {
  const whole = Math.round(seconds)
  if (!whole || !Number.isFinite(whole)) return ''
  return `, ${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} left`
}

/**
 * Shows how many items some work has read.
 * @param work must call `clear` before it writes anything itself
 */
export function showingReads<Result>(
  storage: Storage,
  stream: Output,
  isQuiet: boolean | undefined,
  work: (storage: Storage, clear: () => void) => Promise<Result>,
): Promise<Result> {
  const bar = progressLine(stream, isQuiet)
  let count = 0
  const counting = sendingThrough(storage, async (...request) => {
    const answer = await storage.client.send(...request)
    count += (answer as { Items?: readonly unknown[] }).Items?.length ?? 0
    bar.say(`${count} items read`)
    return answer
  })
  return work(counting, bar.end).finally(bar.end)
}
