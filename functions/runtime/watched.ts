import type { Caller } from '@embed-access/core/sessions/audit.ts'
import type { Context } from 'aws-lambda'
import { type Origin, originOf } from './origin.ts'
import type { Runtime } from './runtime.ts'

/** What a function finds out about its invocation. Nothing of it is secret. */
export type Notes = {
  /** Calls to the database. */
  calls: number
  caller?: Pick<Caller, 'accountId' | 'credential'> | undefined
  /** The code with which the authorizer refuses. */
  refused?: string
}

/** The context of Lambda, with a place for notes. */
export type WatchedContext = Context & { readonly notes: Notes }

/**
 * Writes one line for each invocation: which route, how it ended, who called by what kind of credential, how long it took
 * in milliseconds, and how many calls to the database. The first line of an instance says that it was cold. Time and
 * answer stay as they are.
 */
export function watched<Event extends Parameters<typeof originOf>[0], Result extends object>(
  { log, now }: Pick<Runtime, 'log' | 'now'>,
  invocation: 'operation' | 'authorizer',
  handler: (event: Event, context: WatchedContext) => Promise<Result>,
): (event: Event, context: Context) => Promise<Result> {
  let isCold = true
  return async (event, context) => {
    const begun = now()
    const notes: Notes = { calls: 0 }
    const cold = isCold && { cold: true }
    isCold = false
    let ended: { readonly status?: unknown; readonly failed?: true } = { failed: true }
    try {
      const result = await handler(event, Object.assign(Object.create(context), { notes }))
      ended = 'statusCode' in result ? { status: result.statusCode } : {}
      return result
    } finally {
      const { caller, refused, calls } = notes
      const { sourceIp: _, ...origin }: Origin = originOf(event)
      const who = caller && { accountId: caller.accountId, credential: caller.credential.kind }
      const time = new Date(begun).toISOString()
      const line = { ...ended, refused, ...who, durationMs: now() - begun, calls, ...cold }
      log({ level: 'info', ...origin, time, invocation, ...line })
    }
  }
}
