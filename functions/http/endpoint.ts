import type { Principal } from '@embed-access/core/access/principal.ts'
import { counting, type Spent } from '@embed-access/core/storage/counting.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { untilAborted } from '@embed-access/core/storage/until-aborted.ts'
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import * as v from 'valibot'
import type { Access } from '../operations/record.ts'
import { type Origin, originOf } from '../runtime/origin.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { timeLimit } from '../runtime/time-limit.ts'
import { noteCaller, type WatchedContext, watched } from '../runtime/watched.ts'
import { readJson } from './body.ts'
import { parseBody, parseParameters } from './input.ts'
import { readQuery } from './query.ts'
import { auditRefusal } from './refusal-audit.ts'
import { responses } from './responses.ts'
import { type IsRevoked, requireStillValid } from './still-valid.ts'
import { principalOf, type Verdict, verdictIn } from './verdict.ts'

export type HttpHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

/** `json`, or a `text` whose type is among the headers, is sent with status 200. An answer without both is a 204. */
export type Answer = {
  /** How many items the page has, if the answer is one. */
  readonly pageItems?: number
  readonly json?: string
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Endpoint<Allowed extends Access, Path extends v.GenericSchema, Query extends v.GenericSchema, Body, Stored> = {
  readonly path?: Path
  readonly query?: Query
  readonly body?: v.GenericSchema<unknown, Body>
  /** Asks about embed tokens. Without it, the operation is closed to them. */
  readonly isRevoked?: IsRevoked
  answer(request: {
    readonly principal: Allowed extends 'public' ? undefined : Principal
    readonly path: v.InferOutput<Path>
    readonly query: v.InferOutput<Query>
    readonly body: Body
    readonly origin: Origin
    /** That of the runtime. Its calls end when the function gives up. */
    readonly storage: Stored
  }): Answer | Promise<Answer>
}

const noParameters = v.object({})

/**
 * Makes the handler of an operation. It checks the principal, then the input, and then calls `answer`. Every error
 * becomes a problem.
 * @example
 * endpoint(base, operations['list-dbt-syncs'], {
 *   path: v.object({ deploymentId }),
 *   answer: async ({ storage, principal, path }) => ({ json: await syncsOf(storage, principal, path.deploymentId) }),
 * })
 */
export function endpoint<
  Allowed extends Access,
  Path extends v.GenericSchema = typeof noParameters,
  Query extends v.GenericSchema = typeof noParameters,
  Body = undefined,
  Stored extends Storage | undefined = undefined,
>(
  runtime: Pick<Runtime, 'issuer' | 'log' | 'now'> & { readonly storage?: Stored },
  { access }: { readonly access: Allowed },
  { answer, isRevoked, body, ...parameters }: Endpoint<Allowed, Path, Query, Body, Stored>,
): HttpHandler {
  const { path = noParameters, query = noParameters } = parameters
  const stack = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Error, WatchedContext>(timeLimit).use(
    responses(runtime),
  )

  async function respond(
    event: APIGatewayProxyEventV2,
    verdict: Verdict | undefined,
    spent: Spent,
    signal: AbortSignal,
  ) {
    const counted = runtime.storage && counting(runtime.storage, spent)
    const storage = (counted && untilAborted(counted, signal)) as Stored
    const principal = (verdict && principalOf(verdict)) as Allowed extends 'public' ? undefined : Principal
    if (principal) {
      await requireStillValid(principal, runtime.now(), isRevoked && storage && ((...id) => isRevoked(storage, ...id)))
    }
    if (body) readJson(event)
    const given = parseParameters(
      { schema: path, given: event.pathParameters ?? {} },
      { schema: query, given: readQuery(event.rawQueryString) },
    )
    return answer({
      principal,
      path: given.path,
      query: given.query,
      body: (body && parseBody(body, event.body)) as Body,
      origin: originOf(event),
      storage,
    })
  }

  const handler = stack.handler(async (event, { notes }, { signal }) => {
    const verdict = access === 'public' ? undefined : verdictIn(authorizerContext(event), access)
    noteCaller(notes, verdict?.allowed ? verdict.principal : verdict?.by)
    const answered = respond(event, verdict, notes, signal)
    answered.catch((error: unknown) => auditRefusal(runtime, event, originOf(event), verdict, error))
    const { json, text = json, headers, pageItems } = await answered
    if (pageItems !== undefined) notes.pageItems = pageItems
    if (text === undefined) return { statusCode: 204, ...(headers && { headers }) }
    return { statusCode: 200, headers: { 'content-type': 'application/json', ...headers }, body: text }
  })
  return watched(runtime, 'operation', originOf, handler)
}

const authorizerContext = ({ requestContext }: APIGatewayProxyEventV2): unknown =>
  (requestContext as { authorizer?: { lambda?: unknown } }).authorizer?.lambda
