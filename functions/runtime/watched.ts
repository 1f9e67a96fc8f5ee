import type { Credential, Principal } from '@embed-access/core/access/principal.ts'
import type { Spent } from '@embed-access/core/storage/counting.ts'
import type { Context } from 'aws-lambda'
import { metricsIn } from './metrics.ts'
import type { Origin } from './origin.ts'
import type { Runtime } from './runtime.ts'

/** What the function of a request notes of it. Nothing of it is secret. */
export type Notes = {
  accountId?: string
  /** The kind of the caller's credential. */
  credential?: Credential['kind']
  /** The code with which the authorizer refuses. */
  refused?: string
  /** How many items the page has, if the answer is one. */
  pageItems?: number
}

/** The context of Lambda, with a place for notes. They become fields of the line. */
export type WatchedContext<Noted extends object = Notes> = Context & { readonly notes: Spent & Noted }

/** Notes who is calling, if that is known. */
export function noteCaller(notes: Notes, caller: Pick<Principal, 'accountId' | 'credential'> | undefined): void {
  if (caller) Object.assign(notes, { accountId: caller.accountId, credential: caller.credential.kind })
}

/**
 * Writes one line for each invocation: where it came from, how it ended, what the function noted, how long it took in
 * milliseconds, and how many calls to the database and capacity units. The first line of an instance counts as a cold
 * start. Time and answer stay as they are.
 */
export function watched<Event, Result extends object, Noted extends object>(
  { log, now, issuer }: Pick<Runtime, 'log' | 'now' | 'issuer'>,
  invocation: 'operation' | 'authorizer' | 'catalogSync',
  originOf: (event: Event, context: Context) => Pick<Origin, 'requestId'> & Partial<Origin>,
  handler: (event: Event, context: WatchedContext<Noted>) => Promise<Result>,
): (event: Event, context: Context) => Promise<Result> {
  let isCold = true
  return async (event, context) => {
    const begun = now()
    const notes: Spent = { calls: 0, units: 0 }
    const cold = isCold && { coldStarts: 1 }
    isCold = false
    let ended: { readonly status?: unknown; readonly failed?: true } = { failed: true }
    try {
      const result = await handler(event, Object.assign(Object.create(context), { notes }))
      ended = 'statusCode' in result ? { status: result.statusCode } : {}
      return result
    } finally {
      const { sourceIp: _, ...origin } = originOf(event, context)
      const line = { invocation, ...ended, ...notes, durationMs: now() - begun, ...cold }
      const counted = (['units', 'coldStarts', 'pageItems'] as const).filter((name) => name in line)
      const time = new Date(begun).toISOString()
      log({ level: 'info', ...origin, time, issuer, ...line, _aws: metricsIn(begun, counted) })
    }
  }
}
