import { forThisAttempt } from '@embed-access/core/storage/made-anew.ts'
import { sendingThrough } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import {
  isConflict,
  isDatabaseUnavailable,
  isThrottled,
} from '@embed-access/core/storage/unavailable.ts'

/**
 * How long to wait after each failure in a row of one request, in milliseconds. Further failures
 * wait as long as the last.
 */
const pauses = [200, 500, 1000, 2000, 5000, 10_000]

const patienceMs = 60_000

/**
 * How often the database has throttled an import since its last batch, and how many requests it has
 * answered since then.
 */
export class Slowness {
  throttled = 0
  answered = 0
  /** Gets both counts, in words, whenever one has grown. */
  say: (text: string) => void = () => {}

  reset(): void {
    this.throttled = 0
    this.answered = 0
  }

  note(outcome: 'answered' | 'throttled'): void {
    if (outcome === 'answered' && this.throttled === 0) return
    this[outcome] += 1
    const since = `${this.answered} requests done since, ${this.throttled} to be sent again`
    this.say(`the database throttles: ${since}`)
  }
}

/** The database has not answered for so long that the command stops. */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone'
}

const isSilence = (error: unknown) =>
  isDatabaseUnavailable(error) && !isThrottled(error) && !isConflict(error)

type Patience = {
  now(): number
  /** Gets lines that say, less and less often, that requests are sent again. */
  say?: (line: string) => void
  database?: string
  slowness?: Slowness
}

/**
 * Returns the same storage for an import, which has time. It sends a request again for a minute if
 * the database does not answer; every request of an import may be done twice. If the database
 * answers nothing for a minute, all requests fail with {@link DatabaseGone}. A throttled request
 * fails at once, and the writer slows down.
 */
export function retryingStorage(
  storage: Storage,
  { now, say, slowness, database = 'The database' }: Patience,
): Storage {
  let silentSince: number | undefined
  let gone: DatabaseGone | undefined
  let waits = 0

  /** @throws DatabaseGone if the database has answered nothing for a minute */
  function noteSilence(time: number, reason: string): void {
    silentSince ??= time
    if (time - silentSince < patienceMs) return
    const silence = `${database} has answered nothing for a minute (${reason}).`
    gone ??= new DatabaseGone(`${silence} Nothing more was sent.`)
    throw gone
  }

  /** Says after 1, 2, 4, 8 … waits that requests are sent again. */
  function noteWait(time: number, reason: string): void {
    waits += 1
    if (!Number.isInteger(Math.log2(waits))) return
    const left = Math.ceil((patienceMs - (time - (silentSince ?? time))) / 1000)
    const again = `Requests are sent again, for ${left} s more: ${waits} so far.`
    say?.(`${database} does not answer (${reason}). ${again}`)
  }

  return sendingThrough(storage, async (first, options) => {
    let failingSince: number | undefined
    let command = first
    for (let failures = 0; ; failures += 1) {
      if (gone) throw gone
      try {
        const answer = await storage.client.send(command, options)
        silentSince = undefined
        slowness?.note('answered')
        return answer
      } catch (error) {
        if (isThrottled(error)) slowness?.note('throttled')
        if (!isSilence(error)) {
          silentSince = undefined
          throw error
        }
        const time = now()
        const { code, name } = error as NodeJS.ErrnoException
        const reason = code ?? name
        noteSilence(time, reason)
        failingSince ??= time
        if (time - failingSince >= patienceMs) throw error
        noteWait(time, reason)
        await storage.pause(pauses[failures] ?? (pauses.at(-1) as number))
        command = forThisAttempt(first)
      }
    }
  })
}
