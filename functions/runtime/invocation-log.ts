import type { Credential, Principal } from '@embed-access/core/access/principal.ts'
import { counting, type Spent } from '@embed-access/core/storage/sending-through.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import type middy from '@middy/core'
import type { APIGatewayRequestAuthorizerEventV2, Context } from 'aws-lambda'
import type { Runtime } from './definition.ts'
import { logMetrics } from './metrics.ts'

/** Fields of an invocation's line in the log. None is secret. */
export type LogFields = Spent & {
  /** 1 in the first line of an instance. */
  coldStarts?: number
  /** Only in the first line of an instance: how long its start took, in milliseconds. */
  initMs?: number | undefined
  accountId?: string
  credential?: Credential['kind']
  /** The code with which the authorizer refuses. */
  refused?: string
  pageItems?: number
  signingKeyDays?: number
}

/** The context of Lambda, with what the log needs of an invocation. */
export type LoggedContext = Context & {
  /** Milliseconds since the epoch. */
  begun: number
  logFields: LogFields
  /** Its calls and units are counted in `logFields`. */
  storage: Storage
  origin: Origin
}

export function logCaller(
  fields: LogFields,
  caller: Pick<Principal, 'accountId' | 'credential'> | undefined,
): void {
  if (caller)
    Object.assign(fields, { accountId: caller.accountId, credential: caller.credential.kind })
}

/**
 * Middleware that writes one line for each invocation: its origin, how it ended, how long it took,
 * and its fields. It writes none for a request that the edge refuses, because the edge comes first.
 */
export function invocationLog<Event>(
  runtime: Runtime & { readonly storage: Storage },
  invocation: 'operation' | 'authorizer' | 'catalogSync',
  originOf: (event: Event, context: Context) => Pick<Origin, 'requestId'> & Partial<Origin>,
) {
  let isCold = true
  type Request = middy.Request<Event, object, Error, LoggedContext>
  const write = ({ context, response }: Request): void => {
    const { begun, logFields } = context
    const { sourceIp: _, ...origin } = context.origin
    const durationMs = runtime.now() - begun
    logMetrics(runtime, begun, {
      level: 'info',
      ...origin,
      invocation,
      ...logFields,
      ...outcomeOf(response),
      durationMs,
    })
  }
  return {
    before({ event, context }: Request): void {
      const start = isCold && { coldStarts: 1, initMs: runtime.initMs }
      const logFields = { calls: 0, units: 0, ...start }
      isCold = false
      Object.assign(context, {
        begun: runtime.now(),
        logFields,
        storage: counting(runtime.storage, logFields),
        origin: originOf(event, context),
      })
    },
    after: write,
    onError: write,
  }
}

/** Only operations answer with a status. */
function outcomeOf(response: object | null | undefined) {
  if (!response) return { failed: true }
  return 'statusCode' in response ? { status: response.statusCode } : {}
}

type Requested = Pick<APIGatewayRequestAuthorizerEventV2, 'routeKey' | 'headers' | 'requestContext'>

/**
 * Where a request came from, and to which route. `requestId` ties the lines of authorizer and
 * function to the access log, and `awsRequestId` to what Lambda itself says of the invocation.
 */
export type Origin = ReturnType<typeof originOf>

/** Takes the id from AWS's own trace: `Root=1-67891233-abcdef012345678912345678;…`. */
export const traceIdIn = (header = ''): string | undefined =>
  /\bRoot=(1-[\da-f]{8}-[\da-f]{24})(?:;|$)/.exec(header)?.[1]

export function originOf(
  { routeKey, headers, requestContext }: Requested,
  { awsRequestId }: Pick<Context, 'awsRequestId'>,
) {
  // The caller's own trace (W3C Trace Context, version 00). Its form is checked, because a caller
  // must not write other text into the log.
  const [traceparent] =
    /^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.exec(headers?.traceparent ?? '') ?? []
  return {
    routeKey,
    requestId: requestContext.requestId,
    awsRequestId,
    traceId: traceIdIn(headers?.['x-amzn-trace-id']),
    sourceIp: requestContext.http.sourceIp,
    traceparent,
  }
}
